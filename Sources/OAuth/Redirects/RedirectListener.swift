public import Core
import Foundation

/// A listener on 127.0.0.1 that receives a code by the redirect of a browser (RFC 8252, section
/// 7.3).
public final class RedirectListener: Sendable {
  /// The port on which it listens.
  public let port: Int
  private let socket: Descriptor
  private let blocking = Blocking("redirect", inOrder: true)
  /// The longest request line that is read, in bytes.
  private static let longest = 32 << 10

  /// Listens on the given port, or on one that the system selects.
  ///
  /// - Parameter port: The port; 0 for any.
  /// - Throws: `StorageFailed` if the port cannot be opened.
  public init(port: Int = 0) throws(Failure) {
    socket = Descriptor(Foundation.socket(AF_INET, streamSocket, 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(clamping: port).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let number = socket.number
    // A browser that is started must not keep the port.
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    // A port of an earlier login may still have connections that are closing.
    var isReused: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        bind(number, plain, length) == 0 && listen(number, 8) == 0
          && getsockname(number, plain, &length) == 0
      }
    }
    self.port = Int(UInt16(bigEndian: address.sin_port))
    guard isBound else {
      throw Failure(
        .storageFailed, "cannot listen on 127.0.0.1: \(String(cString: strerror(errno)))")
    }
  }

  /// The address to which the browser is redirected.
  public var redirect: String { "http://127.0.0.1:\(port)/callback" }

  /// Waits for the redirect, and answers the browser with a page that says the user may close it.
  ///
  /// A request with another `state` is refused, and the wait continues.
  ///
  /// - Parameters:
  ///   - expected: The response that the request must carry.
  ///   - interruption: Ends the wait.
  /// - Returns: The code.
  /// - Throws: As `ExpectedRedirect.code`; `AuthExpired` after five minutes; `Interrupted` if the
  ///   wait was interrupted.
  public func code(
    for expected: ExpectedRedirect, _ interruption: Interruption
  ) async throws(Failure) -> String {
    try await blocking.run { [self] () throws(Failure) in
      let end = ContinuousClock.now + .seconds(300)
      while ContinuousClock.now < end {
        guard try interruption.isReadable(socket.number, within: 250) else { continue }
        let browser = Descriptor(accept(socket.number, nil, nil))
        guard browser.isOpen else { continue }
        let line = try Self.line(of: browser, interruption)
        guard let query = Self.query(line), expected.isOwn(query) else {
          Self.answer(browser, "400 Bad Request", "This login was not started here.")
          continue
        }
        do throws(Failure) {
          let code = try expected.code(in: query)
          Self.answer(browser, "200 OK", "You are logged in. You may close this page.")
          return code
        } catch {
          Self.answer(browser, "200 OK", "Access was not granted. You may close this page.")
          throw error
        }
      }
      throw Failure(
        .authExpired, "nobody logged in within five minutes", input: expected.input)
    }
  }

  /// Returns the first line of a browser's request, as far as it arrives within five seconds.
  private static func line(
    of browser: borrowing Descriptor, _ interruption: Interruption
  ) throws(Failure) -> String {
    var line: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 8192)
    while line.count < longest, !line.contains(0x0A),
      try interruption.isReadable(browser.number, within: 5000)
    {
      let count = read(browser.number, &bytes, bytes.count)
      guard count > 0 else { break }
      line += bytes[..<count]
    }
    return String(decoding: line.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
  }

  /// Returns the query in the first line of a request, `GET /callback?code=… HTTP/1.1`.
  private static func query(_ line: String) -> RedirectQuery? {
    let words = line.split(separator: " ")
    guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/callback?") else { return nil }
    return RedirectQuery(address: String(words[1]))
  }

  private static func answer(
    _ browser: borrowing Descriptor, _ status: String, _ sentence: String
  ) {
    let body = "<!doctype html><meta charset=\"utf-8\"><title>agentpipes</title><p>\(sentence)</p>"
    // A browser that has disconnected needs no answer.
    _ = browser.write(
      Array(
        """
        HTTP/1.1 \(status)\r\ncontent-type: text/html; charset=utf-8\r\n\
        content-length: \(body.utf8.count)\r\nconnection: close\r\n\r\n\(body)
        """.utf8))
  }
}
