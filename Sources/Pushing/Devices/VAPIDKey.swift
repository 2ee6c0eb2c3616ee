public import Core
import Cryptography
import Foundation
public import Keys

/// The key by which push services know the sender of messages (RFC 8292).
public struct VAPIDKey: Sendable {
  /// The name of the secret: the private key, 32 bytes in base64url.
  public static let name = "push-vapid"
  /// The lifetime of a token in seconds; the longest that services take is a day.
  private static let lifetime: Int64 = 12 * 3600

  private let key: P256PrivateKey

  /// Returns the key in the given store; if there is none, it is made.
  ///
  /// Browsers subscribe for one key, so a new key would make their subscriptions useless. Only a hub
  /// makes one.
  ///
  /// - Throws: `BadConfiguration` if the secret is not a key; `ToolFailed` of the kind `library` if
  ///   libcrypto is missing; the errors of `KeyStore`.
  public init(madeIn keys: KeyStore) throws(Failure) {
    if try !keys.has(Self.name) {
      _ = try keys.set(Self.name, to: Base64URL.text(P256PrivateKey().bytes))
    }
    try self.init(in: keys)
  }

  /// Returns the key in the given store.
  ///
  /// - Throws: `MissingAPIKey` if there is none; `BadConfiguration` if the secret is not a key; the
  ///   errors of `KeyStore`.
  init(in keys: KeyStore) throws(Failure) {
    guard let found = try keys.find(Self.name)?.secret else {
      throw Failure(
        .missingAPIKey, "there is no secret '\(Self.name)', with which browsers are notified",
        input: Self.name, nextStep: "start the hub once with 'hub-serve --page'")
    }
    try self.init(secret: found)
  }

  /// Creates the key with the given secret.
  ///
  /// - Throws: `BadConfiguration` if the secret is not a key; `ToolFailed` of the kind `library` if
  ///   libcrypto is missing.
  init(secret: String) throws(Failure) {
    guard let bytes = Base64URL.bytes(secret),
      let key = try P256PrivateKey(bytes)
    else {
      throw Failure(
        .badConfiguration, "the secret '\(Self.name)' is not a key: 32 bytes in base64url",
        input: Self.name)
    }
    self.key = key
  }

  /// The public key, which browsers subscribe for: 65 bytes in base64url.
  public var publicKey: String { Base64URL.text(key.publicKey.bytes) }

  /// Returns the `Authorization` field for a request to the push service at the given origin.
  ///
  /// - Parameters:
  ///   - origin: The scheme, host and port of the service.
  ///   - contact: The `mailto:` or `https:` URL at which the service reaches the sender; nil for
  ///     none.
  ///   - now: The current time.
  /// - Returns: The field's value (RFC 8292, section 3).
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  func authorization(
    for origin: String, contact: String?, at now: Timestamp = .now
  ) throws(Failure) -> String {
    struct Claims: Encodable {
      var aud: String
      var exp: Int64
      var sub: String?
    }
    let token = try SignedToken.text(
      ["typ": "JWT", "alg": "ES256"],
      Claims(aud: origin, exp: now.milliseconds / 1000 + Self.lifetime, sub: contact), by: key)
    return "vapid t=\(token),k=\(publicKey)"
  }
}
