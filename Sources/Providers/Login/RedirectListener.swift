import Core
import Foundation

/// A listener on 127.0.0.1 that receives a code when the browser is redirected to it (RFC 8252,
/// section 7.3).
final class RedirectListener: Sendable {
  /// The port on which it listens.
  let port: Int
  private let socket: Descriptor
  private let blocking = Blocking("redirect", inOrder: true)

  /// Listens on a port that the system selects.
  ///
  /// - Throws: `StorageFailed` if no port can be opened.
  init() throws(Failure) {
    socket = Descriptor(Foundation.socket(AF_INET, streamSocket, 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let number = socket.number
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        bind(number, plain, length) == 0 && listen(number, 8) == 0
          && getsockname(number, plain, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard isBound else {
      throw Failure(
        .storageFailed, "cannot listen on 127.0.0.1: \(String(cString: strerror(errno)))")
    }
  }

  /// Waits for the redirect, and answers the browser with a page that says the user may close it.
  ///
  /// A request with another `state` is refused, and the wait continues.
  ///
  /// - Parameters:
  ///   - state: The `state` that the request must contain.
  ///   - interruption: Ends the wait.
  /// - Returns: The code.
  /// - Throws: `PermissionDenied` if the user denied access; `AuthExpired` after five minutes;
  ///   `Interrupted` if the wait was interrupted.
  func code(state: String, _ interruption: Interruption) async throws(Failure) -> String {
    try await blocking.run { [self] () throws(Failure) in
      let end = ContinuousClock.now + .seconds(300)
      while ContinuousClock.now < end {
        guard try interruption.isReadable(socket.number, within: 250) else { continue }
        let browser = Descriptor(accept(socket.number, nil, nil))
        guard browser.isOpen, try interruption.isReadable(browser.number, within: 5000) else {
          continue
        }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = read(browser.number, &bytes, bytes.count)
        let query = Self.query(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
        guard query["state"] == state else {
          Self.answer(browser, "400 Bad Request", "This login was not started here.")
          continue
        }
        guard let code = query["code"] else {
          Self.answer(browser, "200 OK", "Access was not granted. You may close this page.")
          let words = query["error_description"] ?? query["error"] ?? "no code was received"
          throw Failure(
            .permissionDenied, "GitHub issued no token: \(Visible.line(String(words.prefix(300))))",
            input: "github")
        }
        Self.answer(browser, "200 OK", "You are logged in. You may close this page.")
        return code
      }
      throw Failure(.authExpired, "nobody logged in within five minutes", input: "github")
    }
  }

  /// Returns the query parameters in the first line of a request, `GET /callback?code=…`.
  private static func query(_ request: String) -> [String: String] {
    let words = request.prefix { $0 != "\r\n" && $0 != "\n" }.split(separator: " ")
    guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/callback?"),
      let items = URLComponents(string: String(words[1]))?.queryItems
    else { return [:] }
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
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
