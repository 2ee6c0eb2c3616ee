import Foundation
import Synchronization

/// A response of a ``LoopbackServer``, byte for byte, and the treatment of the connection after it.
public struct Reply: Sendable {
  /// The treatment of the connection after a response.
  public enum Ending: Sendable {
    /// An open connection, on which the next request is read.
    case keep
    /// A closed connection.
    case close
    /// A silent connection, which the client closes.
    case hold
    /// A body that is sent over and over until the client closes the connection.
    case repeated([UInt8])
  }

  /// The bytes of the response.
  public var bytes: [UInt8]
  /// The treatment of the connection after it.
  public var ending: Ending

  /// Creates a response of bytes.
  public init(bytes: [UInt8], then ending: Ending = .close) {
    (self.bytes, self.ending) = (bytes, ending)
  }

  /// Creates a response whose head is written with line feeds, which become CRLF.
  public init(_ text: String, body: [UInt8] = [], then ending: Ending = .close) {
    self.init(bytes: Array(text.replacing("\n", with: "\r\n").utf8) + body, then: ending)
  }
}

/// An HTTP server of raw sockets on a port that the kernel picks, on a thread of its own.
///
/// It parses no HTTP beyond the end of a request, so that it can send any response.
public final class LoopbackServer: Sendable {
  /// The port that the kernel picked.
  public let port: UInt16
  /// One element for each connection that the client closed.
  public let closings: AsyncStream<Void>
  private let log: ServerLog
  private let stopper: Int32

  /// The requests so far, heads and bodies as received.
  public var requests: [String] { log.requests.withLock { $0 } }
  /// The connections so far.
  public var connections: Int { log.connections.withLock { $0 } }

  /// Starts a server that sends `greeting` to each client, then answers requests.
  public init(greeting: String = "", _ answer: @escaping @Sendable (String) -> Reply) throws {
    let listener = socket(AF_INET, streamSocket, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 1024) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    var ends: [Int32] = [-1, -1]
    guard isBound, pipe(&ends) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    stopper = ends[1]
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    closings = stream
    let log = ServerLog(closing: continuation)
    self.log = log
    let stop = ends[0]
    Thread.detachNewThread {
      var loop = ServerLoop(
        listener: listener, stop: stop, greeting: Array(greeting.utf8), log: log, answer: answer)
      loop.run()
    }
  }

  deinit {
    close(stopper)
  }

  /// Returns the URL of a path on this server.
  public func url(_ path: String = "/", scheme: String = "http") -> String {
    "\(scheme)://127.0.0.1:\(port)\(path)"
  }
}

private final class ServerLog: Sendable {
  let requests = Mutex<[String]>([])
  let connections = Mutex(0)
  let closing: AsyncStream<Void>.Continuation

  init(closing: AsyncStream<Void>.Continuation) {
    self.closing = closing
  }
}

private struct ServerLoop {
  let listener: Int32
  let stop: Int32
  let greeting: [UInt8]
  let log: ServerLog
  let answer: @Sendable (String) -> Reply
  var received: [Int32: [UInt8]] = [:]
  var flooding: [Int32: [UInt8]] = [:]

  mutating func run() {
    while true {
      var polled = [
        pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      ]
      for connection in received.keys {
        let events = flooding[connection] == nil ? POLLIN : POLLIN | POLLOUT
        polled.append(pollfd(fd: connection, events: Int16(events), revents: 0))
      }
      guard poll(&polled, nfds_t(polled.count), -1) >= 0, polled[0].revents == 0 else { break }
      if polled[1].revents != 0 { acceptConnection() }
      for entry in polled.dropFirst(2) where entry.revents != 0 {
        if Int32(entry.revents) & (POLLIN | POLLHUP | POLLERR) != 0 {
          read(entry.fd)
        } else if let bytes = flooding[entry.fd] {
          // A short or failed write means that the client ended the flood.
          _ = send(entry.fd, bytes, bytes.count, noSignal)
        }
      }
    }
    for descriptor in [stop, listener] + received.keys { close(descriptor) }
  }

  private mutating func acceptConnection() {
    let connection = accept(listener, nil, nil)
    guard connection >= 0 else { return }
    received[connection] = []
    // A failure here repeats in the first response.
    if !greeting.isEmpty { _ = send(connection, greeting, greeting.count, noSignal) }
    log.connections.withLock { $0 += 1 }
  }

  private mutating func read(_ connection: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(connection, &buffer, buffer.count, 0)
    guard count > 0 else {
      end(connection)
      log.closing.yield()
      return
    }
    received[connection, default: []] += buffer[..<count]
    while let bytes = received[connection], let size = requestSize(bytes) {
      let text = String(decoding: bytes[..<size], as: UTF8.self)
      received[connection] = Array(bytes[size...])
      log.requests.withLock { $0.append(text) }
      reply(answer(text), on: connection)
    }
  }

  private mutating func reply(_ reply: Reply, on connection: Int32) {
    var rest = reply.bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, noSignal) }
      guard count > 0 else { return end(connection) }
      rest = rest.dropFirst(count)
    }
    switch reply.ending {
    case .keep, .hold: break
    case .close: end(connection)
    case .repeated(let bytes): flooding[connection] = bytes
    }
  }

  private mutating func end(_ connection: Int32) {
    received[connection] = nil
    flooding[connection] = nil
    close(connection)
  }

  /// Returns the size of the first complete request, with its body by Content-Length.
  private func requestSize(_ bytes: [UInt8]) -> Int? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
    let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
    let size = end + (length ?? 0)
    return bytes.count >= size ? size : nil
  }
}

#if os(Linux)
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
  private let noSignal = Int32(MSG_NOSIGNAL)
#else
  private let streamSocket = SOCK_STREAM
  private let noSignal: Int32 = 0
#endif
