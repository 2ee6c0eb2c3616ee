import Core
import Cryptography
import Foundation
import HTTP

/// Alerts as they are, signed as Standard Webhooks specifies
/// (https://www.standardwebhooks.com, "Signature scheme"), or unsigned with words for chats.
struct WebhookChannel: PushChannel {
  private let address: PushAddress
  /// The key of signatures; nil for unsigned requests.
  private let key: [UInt8]?

  /// The most characters that Discord takes, which are code points, and the most of them for the
  /// text in a message.
  private static let (longest, longestText) = (2000, 1900)

  /// Creates a channel whose requests are not signed.
  init(unsigned address: PushAddress) { (self.address, key) = (address, nil) }

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
    guard let key else { return try await address.post(Self.chatBody(message), []) }
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

  /// Returns the alert with its words as members: `text` for Slack, `content` for Discord.
  ///
  /// The words are shown as they are. Nobody is notified by what an agent wrote, no link in it is
  /// fetched, and it is not formatted: marks that vanish would change a command. Members of the alert
  /// that this version does not know are left out, because a service may know them.
  private static func chatBody(_ message: PushMessage) throws(Failure) -> [UInt8] {
    let words = [message.title, message.text, message.url].compactMap { $0 }
      .joined(separator: "\n")
    do {
      var known = message
      known.alert.unknown = UnknownMembers()
      let line = Data(try known.line())
      guard var body = try JSONSerialization.jsonObject(with: line) as? [String: Any] else {
        throw Failure(.badInput, "the alert is not an object")
      }
      body["text"] = words.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;")
      (body["mrkdwn"], body["unfurl_links"], body["unfurl_media"]) = (false, false, false)
      body["content"] = content(message)
      body["allowed_mentions"] = ["parse": [String]()]
      return Array(
        try JSONSerialization.data(
          withJSONObject: body, options: [.sortedKeys, .withoutEscapingSlashes]))
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.badInput, "the message cannot be written as JSON: \(error)")
    }
  }

  /// Returns the words for Discord: its code blocks show text as it is.
  private static func content(_ message: PushMessage) -> String {
    // Three backticks would end the block.
    let text = message.text.replacing("``", with: "`\u{200B}`")
    let scalars = text.unicodeScalars
    let shown =
      scalars.count > longestText
      ? String(String.UnicodeScalarView(scalars.prefix(longestText))) + "…" : text
    let block = "\(message.title)\n```\n\(shown)\n```"
    guard let url = message.url, block.unicodeScalars.count + url.count < longest else {
      return block
    }
    return "\(block)\n\(url)"
  }
}
