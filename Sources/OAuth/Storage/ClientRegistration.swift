import Core

/// A client's registration at one authorization server.
struct ClientRegistration: Sendable, Hashable, Codable {
  /// The ways of authenticating at a token endpoint (RFC 7591, section 2).
  enum Authentication: String, Codable, Sendable {
    case none
    case basic = "client_secret_basic"
    case post = "client_secret_post"
  }

  /// The issuer's identifier; the registration is shown to no other issuer.
  var issuer: String
  var clientId: String
  /// The client's secret, registered with `Secrets`; nil for a public client.
  var secret: String?
  var authentication = Authentication.none
  /// The port of the registered redirect; nil if any port is accepted.
  var port: Int?
  /// The scopes that the registration is limited to; nil if it has no limit.
  var scopes: Scopes?
  /// The time at which the secret expires; nil if it does not expire.
  var expiresAt: Timestamp?

  /// Returns the way in which a client with a secret authenticates at a server: the first that the
  /// server names, basic authentication if it names none (RFC 8414, section 2).
  static func authentication(_ supported: [String]?) -> Authentication {
    // The order matters: the SDK of MCP for Python names both, but revokes only by the first.
    (supported ?? []).compactMap { Authentication(rawValue: $0) }.first { $0 != .none } ?? .basic
  }
}
