public import Core
import Foundation
import HTTP

/// The hub that a tool is to ask: its URL, made even.
public struct HubChoice: Sendable, Hashable {
  /// The URL for requests: `http` or `https`, without a slash at its end.
  public let url: String
  /// The URL's host in lower case, one of IPv6 without its brackets.
  public let host: String
  /// The URL's port, or that of its scheme.
  public let port: Int
  /// Whether a stream is wanted over WebSocket: the URL was one of `ws` or `wss`.
  public let wantsWebSocket: Bool

  /// Reads a URL of `http`, `https`, `ws` or `wss`.
  ///
  /// - Throws: `BadUsage` for anything else, a user or a query in it, or no host.
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
    self.host = host
    wantsWebSocket = given.hasPrefix("ws")
    port = parts.port ?? (scheme == "https" ? 443 : 80)
    let isUsual = port == (scheme == "https" ? 443 : 80)
    var path = parts.percentEncodedPath
    while path.hasSuffix("/") { path.removeLast() }
    // The address of the stream is as good as that of the hub.
    if path.hasSuffix("/v1/stream") { path.removeLast("/v1/stream".count) }
    url =
      "\(scheme)://" + (host.contains(":") ? "[\(host)]" : host) + (isUsual ? "" : ":\(port)")
      + path
  }

  /// The hub of a URL, or of a name of the configuration.
  ///
  /// - Parameters:
  ///   - word: A URL, or a name of the configuration.
  ///   - hubs: The URLs of the configuration's `[hub.NAME]`.
  /// - Returns: The hub.
  /// - Throws: `BadUsage` for what is neither a URL nor a name, `BadConfiguration` where the
  ///   configuration's URL is none.
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

  /// Whether it is on this machine, by its address or `localhost`.
  public var isLocal: Bool { HostName.isLoopback(host) }

  /// What its tokens are called in the key store: the beginning of the host, and a digest of the URL.
  ///
  /// It has 23 characters at most: a longer name with digits looks like a secret, and nobody could ask
  /// for it.
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
