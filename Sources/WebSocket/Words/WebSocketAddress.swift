import Core
import Foundation

/// The address of a WebSocket, from a `ws` or `wss` URL (RFC 6455 section 3).
struct WebSocketAddress: Hashable {
  var isSecure: Bool
  /// The host name or IP address; an IPv6 address has no brackets.
  var host: String
  var port: Int
  /// The path and the query: the target of the request.
  var target: String

  /// The value of a request's `Host` field.
  var authority: String {
    let bracketed = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? bracketed : "\(bracketed):\(port)"
  }

  /// The URL for messages.
  ///
  /// It lacks the query, which may contain secrets.
  var shown: String {
    "\(isSecure ? "wss" : "ws")://\(authority)\(target.prefix { $0 != "?" })"
  }

  /// Creates the address from the given URL.
  ///
  /// - Throws: `BadInput` if the URL is malformed, has another scheme, or has a user, password or
  ///   fragment.
  init(_ url: String) throws(Failure) {
    func bad(_ reason: String) -> Failure {
      // Any part of a malformed URL may be a secret, so the message omits the URL.
      Failure(.badInput, "the URL of a WebSocket \(reason)", kind: .badURL)
    }
    guard url.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x5C }),
      let parts = URLComponents(string: url)
    else { throw bad("is invalid, or contains a character that must be escaped") }
    switch parts.scheme?.lowercased() {
    case "ws": isSecure = false
    case "wss": isSecure = true
    default: throw bad("must begin with ws:// or wss://")
    }
    guard parts.user == nil, parts.password == nil else {
      throw bad("contains a user name or a password")
    }
    guard parts.fragment == nil else { throw bad("has a fragment") }
    guard var host = parts.host, !host.isEmpty else { throw bad("has no host") }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    self.host = host
    port = parts.port ?? (isSecure ? 443 : 80)
    guard 1...65_535 ~= port else { throw bad("has an invalid port") }
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    target = path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
  }
}
