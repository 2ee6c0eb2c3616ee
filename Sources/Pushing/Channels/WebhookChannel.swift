import Core
import Cryptography
import Foundation
import HTTP

/// Alerts as they are, signed as Standard Webhooks specifies
/// (https://www.standardwebhooks.com, "Signature scheme").
struct WebhookChannel: PushChannel {
  private let address: PushAddress
  private let key: [UInt8]

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
    key = Array(bytes)
  }

  func send(_ message: PushMessage) async throws(Failure) {
    let body = try message.line()
    let time = String(Timestamp.now.milliseconds / 1000)
    let code = HMACSHA256.code(of: Array("\(message.id).\(time).".utf8) + body, key: key)
    try await address.post(
      body,
      [
        HTTPField("webhook-id", message.id), HTTPField("webhook-timestamp", time),
        HTTPField("webhook-signature", "v1," + Data(code).base64EncodedString()),
      ])
  }
}
