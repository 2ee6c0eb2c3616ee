public import Core
import Foundation
import HTTP

/// The hub that a tool uses.
///
/// Its URL is normalized.
public struct HubChoice: Sendable, Hashable {
  /// The URL for requests.
  ///
  /// It has the scheme `http` or `https` and no trailing slash.
  public let url: String
  /// The URL's host in lower case.
  ///
  /// An IPv6 address has no brackets.
  public let host: String
  /// The URL's port; if it has none, the default port of its scheme.
  public let port: Int
  /// `true` if the live stream uses a WebSocket, because the scheme of the given URL was `ws` or
  /// `wss`.
  public let wantsWebSocket: Bool

  /// Parses a URL with the scheme `http`, `https`, `ws` or `wss`.
  ///
  /// - Throws: `BadUsage` if the text is not such a URL, has no host, or has a user or a query.
  public init(url text: String) throws(Failure) {
    let schemes = ["http": "http", "https": "https", "ws": "http", "wss": "https"]
    guard let parts = URLComponents(string: text), let given = parts.scheme?.lowercased(),
      let scheme = schemes[given], var host = parts.host?.lowercased(), !host.isEmpty,
      parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
      (parts.port ?? 1) > 0, (parts.port ?? 1) <= 65_535
    else { throw Self.noURL(text) }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard host.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "-._:".utf8.contains($0) }) else {
      throw Self.noURL(text)
    }
    // Another program may listen on another address that this name stands for.
    if host == "localhost", scheme == "http" { host = "127.0.0.1" }
    self.host = host
    wantsWebSocket = given.hasPrefix("ws")
    port = parts.port ?? (scheme == "https" ? 443 : 80)
    let isUsual = port == (scheme == "https" ? 443 : 80)
    var path = parts.percentEncodedPath
    while path.hasSuffix("/") { path.removeLast() }
    // The URL of the hub's stream is accepted too.
    if path.hasSuffix("/v1/stream") { path.removeLast("/v1/stream".count) }
    url =
      "\(scheme)://" + (host.contains(":") ? "[\(host)]" : host) + (isUsual ? "" : ":\(port)")
      + path
  }

  /// Returns the hub that the given word names.
  ///
  /// - Parameters:
  ///   - word: The URL of the hub, or its name in the configuration.
  ///   - hubs: The URLs of the configured hubs, by name.
  /// - Returns: The hub.
  /// - Throws: `BadUsage` if `word` is neither a URL nor a known name; `BadConfiguration` if the
  ///   configured URL is invalid.
  public static func named(_ word: String, among hubs: [String: String]) throws(Failure)
    -> HubChoice
  {
    guard !word.contains("://") else { return try HubChoice(url: word) }
    guard let url = hubs[word] else {
      let known = hubs.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
      throw Failure(
        .badUsage,
        "there is no hub '\(Failure.shownURL(word))' in the configuration"
          + (known.isEmpty ? "" : ": known hubs are \(known)"), input: Failure.shownURL(word))
    }
    do {
      return try HubChoice(url: url)
    } catch {
      throw Failure(
        .badConfiguration, "'hub.\(word).url': \(error.explanation)", input: "hub.\(word)")
    }
  }

  /// `true` if the URL's host is a loopback address or `localhost`.
  public var isLocal: Bool { HostName.isLoopback(host) }

  /// The name under which the key store holds the hub's tokens.
  ///
  /// It consists of the beginning of the hub's host and a digest of its URL. It has at most 23
  /// characters, because key-store refuses longer names with digits, which look like secrets.
  public var keyName: String {
    let shown = host.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(10)
    let digest = SHA256Digest.hexadecimal(Array(url.utf8)).prefix(8)
    return "hub-\(String(shown))-\(digest)"
  }

  private static func noURL(_ text: String) -> Failure {
    let shown = Failure.shownURL(text)
    return Failure(
      .badUsage,
      "'\(shown)' is not a hub URL such as http://127.0.0.1:7878"
        + (shown == text ? "" : ", without a password or a query"))
  }
}
