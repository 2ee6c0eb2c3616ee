import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

@testable import WebSocket

/// A server of ours on loopback that sends back what it gets.
///
/// A text `close CODE REASON` closes the connection, `flood N` is answered with N texts of 1 kB,
/// `cut` ends it without a word.
final class EchoServer: Sendable {
  let port: Int
  private let channel: any Channel
  private let seen: SeenHeads

  init(tls: NIOSSLContext? = nil, limits: WebSocketLimits = WebSocketLimits()) throws {
    let seen = SeenHeads()
    var server = WebSocketServer(
      shouldUpgrade: { head, channel in
        seen.append(head)
        return channel.eventLoop.makeSucceededFuture(.accept(headers: [:]))
      },
      opened: { connection, _ in Self.serve(connection) },
      http: { $0.close(promise: nil) })
    server.limits = limits
    channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { [server] channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
          }
          _ = try server.configure(channel)
        }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
    port = channel.localAddress?.port ?? 0
    self.seen = seen
  }

  /// The last request's field of that name.
  func field(_ name: String) -> String? { seen.last?.headers.first(name: name) }

  deinit { channel.close(promise: nil) }

  private static func serve(_ connection: WebSocketConnection) {
    connection.onBinary = { connection.send(binary: $0) }
    connection.onText = { text in
      let words = String(buffer: text).split(separator: " ", maxSplits: 2)
      switch words.first {
      case "close":
        connection.close(code: UInt16(words[1]) ?? 1000, reason: words.dropFirst(2).joined())
      case "cut": connection.cut()
      case "flood":
        var frames = ByteBuffer()
        for number in 0..<(Int(words[1]) ?? 0) {
          let text = "\(number)" + String(repeating: " ", count: 1024)
          WebSocketConnection.appendTextFrame(text.utf8, to: &frames)
        }
        connection.write(frames: frames)
      default: connection.send(text: text)
      }
    }
  }
}

/// The heads that a server saw.
final class SeenHeads: Sendable {
  private let heads = Mutex<[HTTPRequestHead]>([])

  var last: HTTPRequestHead? { heads.withLock { $0.last } }

  func append(_ head: HTTPRequestHead) { heads.withLock { $0.append(head) } }
}
