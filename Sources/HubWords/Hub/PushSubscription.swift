public import Core
import Foundation

/// The place at which a browser receives push messages (Push API, W3C, `PushSubscription.toJSON`).
///
/// A hub stores it as the device's push token.
public struct PushSubscription: HubWord {
  /// The keys with which messages to the browser are encrypted.
  public struct Keys: HubWord {
    /// The browser's public key on the curve P-256: 65 bytes in base64url.
    public var p256dh: String
    /// The authentication secret: 16 bytes in base64url.
    public var auth: String

    /// Creates the keys.
    public init(p256dh: String, auth: String) { (self.p256dh, self.auth) = (p256dh, auth) }
  }

  /// The URL that takes messages for the browser.
  public var endpoint: String
  /// The keys.
  public var keys: Keys
  /// The origin of the hub's page, such as `https://hub.example.org`, which a tap opens.
  public var origin: String?
  /// The sender's public key, for which the browser subscribed: 65 bytes in base64url.
  public var sender: String?

  /// Creates the subscription.
  public init(endpoint: String, keys: Keys, origin: String?) {
    (self.endpoint, self.keys, self.origin) = (endpoint, keys, origin)
  }

  /// Checks the lengths of the keys and the form of the URL.
  ///
  /// - Throws: `BadInput` if a member is invalid.
  public func check() throws(Failure) {
    let parts = URLComponents(string: endpoint)
    guard endpoint.utf8.count <= 2000, endpoint.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
      ["http", "https"].contains(parts?.scheme), parts?.host?.isEmpty == false
    else { throw Failure(.badInput, "'endpoint' is not a URL", input: "endpoint") }
    guard Base64URL.bytes(keys.p256dh)?.count == 65, Base64URL.bytes(keys.auth)?.count == 16 else {
      throw Failure(.badInput, "'keys' has no keys of the right length", input: "keys")
    }
  }
}
