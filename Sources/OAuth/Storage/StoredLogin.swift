import Core
import HTTP

/// The tokens of a login, as the key store holds them in one secret.
struct StoredLogin: Sendable, Hashable, Codable {
  /// The URL of the resource as it was configured; the tokens are sent to no other.
  var server: String
  /// The resource's identifier for the authorization server (RFC 8707).
  var resource: String
  var access: String
  /// The token that renews both; nil if there is none or if it was refused.
  var refresh: String?
  /// The time at which the access token expires; nil if it is not known.
  var expiresAt: Timestamp?
  /// The client, and the issuer that knows it.
  var client: ClientRegistration
  var tokenEndpoint: String
  var revocationEndpoint: String?
  /// The scopes that were requested.
  var scopes: Scopes
  /// The scopes that the resource required since, which the next login requests too.
  var wanted = Scopes()

  /// The field that carries the token.
  var field: HTTPField { HTTPField("authorization", "Bearer \(access)") }

  /// Registers each secret, which is masked in all output.
  func register() {
    for case let secret? in [access, refresh, client.secret] { Secrets.register(secret) }
  }

  /// Replaces the tokens by those of the given answer.
  mutating func take(_ answer: TokenAnswer) {
    access = answer.access
    // A server that does not rotate refresh tokens does not repeat them.
    refresh = answer.refresh ?? refresh
    expiresAt = answer.lifetime.map { Timestamp.now.adding(seconds: $0) }
  }
}
