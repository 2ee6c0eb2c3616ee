import Core
import Crypto
import Foundation
import HTTP

/// Alerts as they are, signed as Standard Webhooks specifies
/// (https://www.standardwebhooks.com, "Signature scheme").
struct WebhookChannel: PushChannel {
  private let address: PushAddress
  private let key: SymmetricKey

  /// Creates the channel.
  ///
  /// - Parameters:
  ///   - address: The URL to post to.
  ///   - secret: The signing secret: base64, with or without `whsec_`.
  ///   - name: The name of the secret, for failures.
  /// - Throws: `BadConfiguration` if the secret is not base64 of 24 to 64 bytes.
  init(_ address: PushAddress, secret: String, named name: String) throws(Failure) {
    let text = secret.hasPrefix("whsec_") ? String(secret.dropFirst(6)) : secret
    guard let bytes = Data(base64Encoded: text), (24...64).contains(bytes.count) else {
      throw Failure(
        .badConfiguration, "the secret '\(name)' is not 'whsec_' and base64 of 24 to 64 bytes",
        input: name,
        nextStep: "run: openssl rand -base64 32 | sed 's/^/whsec_/' | key-store set \(name)")
    }
    self.address = address
    key = SymmetricKey(data: bytes)
  }

  func send(_ message: PushMessage) async throws(Failure) {
    let body = try message.line()
    let time = String(Timestamp.now.milliseconds / 1000)
    var signed = HMAC<SHA256>(key: key)
    signed.update(data: Array("\(message.id).\(time).".utf8))
    signed.update(data: body)
    let signature = Data(signed.finalize()).base64EncodedString()
    try await address.post(
      body,
      [
        HTTPField("webhook-id", message.id), HTTPField("webhook-timestamp", time),
        HTTPField("webhook-signature", "v1," + signature),
      ])
  }
}
