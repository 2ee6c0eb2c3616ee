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
  private let guardian: AddressGuard

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
    guardian = AddressPolicy(allowPrivate: allowsPrivate, option: "--allow-private").guard
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

  /// Posts the given JSON.
  ///
  /// - Parameters:
  ///   - body: The JSON.
  ///   - fields: Further header fields.
  ///   - url: Another URL on the same host; nil for the address itself.
  /// - Throws: The failure of the transfer, or that of a status other than 200 to 299. Neither shows
  ///   the URL's path.
  func post(
    _ body: [UInt8], _ fields: [HTTPField] = [], to url: String? = nil
  ) async throws(Failure) {
    let url = url ?? self.url
    let response: HTTPResponse
    do throws(Failure) {
      response = try await client.collect(
        HTTPRequest(
          url: url, method: "POST",
          fields: [HTTPField("content-type", "application/json")] + fields, body: body,
          timeouts: HTTPTimeouts(connect: 10, idle: 20, total: 30), maximumBodyBytes: 1 << 16,
          addressGuard: guardian))
    } catch {
      throw hidingPath(error, of: url)
    }
    guard !(200...299).contains(response.head.status) else { return }
    let words = String(decoding: response.body.prefix(300), as: UTF8.self)
    throw hidingPath(
      Failure(
        httpStatus: response.head.status, head: response.head, url: url,
        message: words.isEmpty ? nil : Visible.line(words)), of: url)
  }

  /// Returns the given failure without the path of the given URL.
  private func hidingPath(_ failure: Failure, of url: String) -> Failure {
    var failure = failure
    let long = Failure.shownURL(url)
    failure.explanation = failure.explanation.replacingOccurrences(of: long, with: shown)
    failure.cause = failure.cause?.replacingOccurrences(of: long, with: shown)
    failure.input = failure.input.map { $0.replacingOccurrences(of: long, with: shown) }
    failure.url = shown
    return failure
  }
}
