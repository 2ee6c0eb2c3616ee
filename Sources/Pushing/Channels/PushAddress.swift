import Core
import Foundation
import HTTP

/// The URL to which messages are posted.
///
/// Its path may be a secret, so only its scheme and host are shown.
struct PushAddress: Sendable {
  /// The URL.
  let url: String
  /// The URL as it is shown: its scheme, host and port.
  let shown: String
  private let client: HTTPClient
  private let policy: AddressPolicy

  /// Creates the address with the given URL.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - allowsPrivate: `true` if it may lead to an address that is not public.
  ///   - name: The target, for failures.
  ///   - client: The client that sends the messages.
  /// - Throws: `BadUsage` if the URL is not http or https.
  init(
    _ url: String, allowsPrivate: Bool, of name: String, by client: HTTPClient
  ) throws(Failure) {
    guard let shown = Self.shown(url) else {
      throw Failure(.badUsage, "'\(name)' has no URL such as https://host/path", input: name)
    }
    self.url = url
    self.shown = shown
    self.client = client
    policy = AddressPolicy(allowPrivate: allowsPrivate, option: "--allow-private")
  }

  /// Returns the scheme, host and port of the given URL; nil if it is not an HTTP URL.
  static func shown(_ url: String) -> String? {
    guard url.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), let parts = URLComponents(string: url),
      let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = parts.host, !host.isEmpty
    else { return nil }
    return "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
      + (parts.path.count > 1 || parts.query != nil ? "/…" : "")
  }

  /// Posts the given body.
  ///
  /// A status from 200 to 299 is success, whatever the body of the answer.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - fields: Further header fields.
  ///   - type: The media type of the body.
  ///   - url: Another URL on the same host; nil for the address itself.
  /// - Throws: The failure of the transfer, or that of another status. Neither shows the URL's path.
  func post(
    _ body: [UInt8], _ fields: [HTTPField] = [], type: String = "application/json",
    to url: String? = nil
  ) async throws(Failure) {
    let url = url ?? self.url
    var request = HTTPRequest(
      url: url, method: "POST",
      fields: [HTTPField("content-type", type)] + fields, body: body,
      timeouts: HTTPTimeouts(connect: 10, idle: 20, total: 30), maximumBodyBytes: 1 << 16)
    do throws(Failure) {
      try await policy.restrict(&request)
      let (head, words) = try await answer(request)
      guard !(200...299).contains(head.status) else { return }
      throw Failure(httpStatus: head.status, head: head, url: url, message: words)
    } catch {
      throw hidingPath(error, of: url)
    }
  }

  /// Returns the head of the answer, and of a refusal the beginning of its body.
  private func answer(_ request: HTTPRequest) async throws(Failure) -> (HTTPHead, words: String?) {
    var head: HTTPHead?
    var body: [UInt8] = []
    do {
      // The whole answer is read, so that the connection can be used again.
      for try await event in client.stream(request) {
        switch event {
        case .head(let received): head = received
        case .body(let bytes):
          body += bytes.prefix(Self.longestWords - min(Self.longestWords, body.count))
        case .end: break
        }
      }
    } catch {
      // The head decides, even if the rest was lost.
      if head == nil { throw error as? Failure ?? Failure(.interrupted, "cancelled") }
    }
    guard let head else { throw Failure(.interrupted, "the request was cancelled") }
    let words = Visible.line(String(decoding: body, as: UTF8.self))
    return (head, words.isEmpty ? nil : words)
  }

  private static let longestWords = 300

  /// Returns the given failure without the path of the given URL and of the address.
  private func hidingPath(_ failure: Failure, of url: String) -> Failure {
    var failure = failure
    let long = Failure.shownURL(url)
    let hide = { (text: String) in hidden(text.replacingOccurrences(of: long, with: shown)) }
    failure.explanation = hide(failure.explanation)
    failure.cause = failure.cause.map(hide)
    failure.input = failure.input.map(hide)
    failure.url = shown
    if failure.kind == .blockedAddress { failure.nextStep = "use --allow-private, or another URL" }
    return failure
  }

  /// Returns the given text without the parts of the address that may be secrets.
  private func hidden(_ text: String) -> String {
    let path = url.split(separator: "/", maxSplits: 3).dropFirst(2).joined(separator: "/")
    let parts = path.split { "/?&=#".contains($0) }.map(String.init)
      .filter { $0.count >= Self.shortestSecret }
    return parts.sorted { $0.count > $1.count }.reduce(text) { text, part in
      text.replacingOccurrences(of: part, with: "…")
    }
  }

  /// The length of the shortest part of a path that is hidden; shorter ones are words.
  private static let shortestSecret = 6
}
