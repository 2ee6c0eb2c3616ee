import Core
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import WebSocket

// An echo server and an echo client for Tests/Endurance/websocket-judge.sh:
//
//   websocket-echo serve               says its port on standard output, and serves until it is killed
//   websocket-echo client URL AGENT    plays every case of a fuzzing server of Autobahn

/// The suite's largest messages have 16 MiB.
let largest = 16 << 20

func say(_ line: String) {
  try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}

func serve() throws {
  var server = WebSocketServer(
    shouldUpgrade: { _, channel in
      channel.eventLoop.makeSucceededFuture(.accept(headers: [:]))
    },
    opened: { connection, _ in
      connection.onText = { text in
        connection.send(text: text)
        if !connection.isWritable { connection.pause() }
      }
      connection.onBinary = { bytes in
        connection.send(binary: bytes)
        if !connection.isWritable { connection.pause() }
      }
      connection.onWritabilityChanged = { if $0 { connection.resume() } }
    },
    http: { $0.close(promise: nil) })
  server.limits.messageBytes = largest
  let listening = try ServerBootstrap(
    group: MultiThreadedEventLoopGroup(numberOfThreads: 1)
  )
  .serverChannelOption(.backlog, value: 4096)
  .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
  .childChannelInitializer { [server] channel in
    channel.eventLoop.makeCompletedFuture { _ = try server.configure(channel) }
  }
  .bind(host: "127.0.0.1", port: 0).wait()
  say("\(listening.localAddress?.port ?? 0)")
  try listening.closeFuture.wait()
}

func play(_ url: String, agent: String) throws(Failure) {
  var settings = WebSocketSettings()
  settings.limits.messageBytes = largest
  settings.waitingBytes = 2 * largest
  let interruption = Interruption()
  func session(_ path: String) throws(Failure) -> WebSocketSession {
    try WebSocketClient.connect(to: url + path, settings: settings, interruption: interruption)
  }
  guard case .text(let count) = try session("/getCaseCount").receive() else {
    throw Failure(.invalidResponse, "no count of cases came")
  }
  for number in 1...(Int(String(decoding: count, as: UTF8.self)) ?? 1) {
    let session = try session("/runCase?case=\(number)&agent=\(agent)")
    play: while let message = try session.receive() {
      // A case may end the connection before its last message is answered.
      do throws(Failure) {
        switch message {
        case .text(let bytes): try session.send(text: bytes)
        case .binary(let bytes): try session.send(binary: bytes)
        case .pong: break
        case .closed: break play
        }
      } catch  where error.code == .networkUnavailable {
        continue
      }
    }
  }
  let end = try session("/updateReports?agent=\(agent)")
  _ = try end.receive()
  end.close()
}

let arguments = CommandLine.arguments.dropFirst()
do {
  if arguments == ["serve"] {
    try serve()
  } else if arguments.count == 3, arguments.first == "client" {
    try play(CommandLine.arguments[2], agent: CommandLine.arguments[3])
  } else {
    exit(64)
  }
} catch {
  say("\(error)")
  exit(1)
}
