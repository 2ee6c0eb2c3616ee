import Foundation
import Synchronization

/// An HTTP server on 127.0.0.1 that answers each connection with prepared bytes and closes it.
final class PageServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let state = Mutex(State())

  private struct State {
    var answers: [String: @Sendable (String) -> [UInt8]] = [:]
    var requests: [String] = []
  }

  struct NoSocket: Error {}

  init() throws {
    let listener = socket(AF_INET, streamSocket, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        guard bind(listener, generic, length) == 0, listen(listener, 64) == 0 else {
          return Int32(-1)
        }
        return getsockname(listener, generic, &length)
      }
    }
    guard result == 0 else { throw NoSocket() }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [weak self, listener] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { break }
        self?.answer(client)
        close(client)
      }
      close(listener)
    }
  }

  deinit {
    // The thread closes it: a descriptor closed here could be another server's by its next accept.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// The URL of a path on this server.
  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// The heads of the requests so far.
  var requests: [String] { state.withLock { $0.requests } }

  /// Prepares the answer to a path.
  func on(
    _ path: String, status: Int = 200, fields: [String] = ["Content-Type: text/html"],
    body: String = "", length: Int? = nil
  ) {
    on(path, status: status, fields: fields, bytes: Array(body.utf8), length: length)
  }

  /// Prepares the answer to a path; a length that is not the body's is a lie on purpose.
  func on(_ path: String, status: Int = 200, fields: [String], bytes: [UInt8], length: Int? = nil) {
    let lines =
      ["HTTP/1.1 \(status) Status", "Content-Length: \(length ?? bytes.count)"] + fields
      + ["Connection: close", "", ""]
    let answer = Array(lines.joined(separator: "\r\n").utf8) + bytes
    on(path) { _ in answer }
  }

  /// Prepares an answer that depends on the request's head; without bytes there is none.
  func on(_ path: String, _ answer: @escaping @Sendable (String) -> [UInt8]) {
    state.withLock { $0.answers[path] = answer }
  }

  /// How often a path was asked for.
  func count(_ path: String) -> Int {
    requests.count { $0.hasPrefix("GET \(path) ") }
  }

  /// Prepares a redirect.
  func redirect(_ path: String, to location: String) {
    on(path, status: 302, fields: ["Location: \(location)"])
  }

  private func answer(_ client: Int32) {
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let count = read(client, &buffer, buffer.count)
      guard count > 0 else { return }
      head.append(contentsOf: buffer[..<count])
    }
    let text = String(decoding: head, as: UTF8.self)
    let path = text.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    let answer = state.withLock { state in
      state.requests.append(text)
      return state.answers[path]?(text)
        ?? Array("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n".utf8)
    }
    var sent = 0
    while sent < answer.count {
      let count = answer[sent...].withUnsafeBytes {
        send(client, $0.baseAddress, $0.count, noSignal)
      }
      guard count > 0 else { return }
      sent += count
    }
  }
}

#if canImport(Darwin)
  private let streamSocket = SOCK_STREAM
  private let noSignal: Int32 = 0
#else
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
  private let noSignal = Int32(MSG_NOSIGNAL)
#endif
