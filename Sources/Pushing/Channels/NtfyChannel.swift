import Core
import Foundation
import HTTP

/// Messages to a topic of an ntfy server (https://docs.ntfy.sh/publish/, "Publish as JSON").
struct NtfyChannel: PushChannel {
  let replacesMessages = true
  private let address: PushAddress
  private let server: String
  private let topic: String
  private let token: String?

  /// The largest message in bytes; a longer one becomes an attachment.
  private static let longest = 3800

  /// Creates the channel to the topic with the given URL.
  ///
  /// - Parameters:
  ///   - address: The topic's URL, such as `https://ntfy.example/ops-7f3a`.
  ///   - token: The access token; nil for none.
  ///   - name: The target, for failures.
  /// - Throws: `BadUsage` if the URL has no topic.
  init(_ address: PushAddress, token: String?, of name: String) throws(Failure) {
    let path = address.url.prefix { $0 != "?" && $0 != "#" }
    guard let cut = path.lastIndex(of: "/"),
      case let topic = path[path.index(after: cut)...], (1...64).contains(topic.utf8.count),
      topic.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F }),
      PushAddress.shown(String(path[...cut])) != nil
    else {
      throw Failure(
        .badUsage, "'\(name)' has no topic such as https://host/topic", input: name)
    }
    (self.address, self.topic, self.token) = (address, String(topic), token)
    server = String(path[...cut])
  }

  /// The body of a request.
  private struct Body: Encodable {
    var topic: String
    var title: String
    var message: String
    var priority: Int
    var tags: [String]
    var click: String?
    /// The id of what is shown: a later message with the same id replaces an earlier one.
    var sequenceId: String?

    enum CodingKeys: String, CodingKey {
      case topic, title, message, priority, tags, click
      case sequenceId = "sequence_id"
    }
  }

  func send(_ message: PushMessage) async throws(Failure) {
    let alert = message.alert
    let body = Body(
      topic: topic, title: message.title, message: Self.cut(message.text),
      priority: Self.priority(alert.severity),
      tags: [Self.tag(alert.severity), alert.kind.rawValue],
      click: message.url, sequenceId: message.topic)
    let bytes: [UInt8]
    do {
      bytes = try RecordJSON.line(of: body)
    } catch {
      throw Failure(.badInput, "the message cannot be written as JSON: \(error)")
    }
    let fields = token.map { [HTTPField("authorization", "Bearer \($0)")] } ?? []
    try await address.post(bytes, fields, to: server)
  }

  private static func priority(_ severity: Log.Level) -> Int {
    switch severity {
    case .debug: 1
    case .info: 2
    case .warn: 3
    case .error: 4
    case .critical: 5
    }
  }

  /// Returns the name of the picture that the message shows.
  private static func tag(_ severity: Log.Level) -> String {
    severity >= .critical ? "rotating_light" : severity >= .warn ? "warning" : "information_source"
  }

  private static func cut(_ text: String) -> String {
    guard text.utf8.count > longest else { return text }
    return String(decoding: text.utf8.prefix(longest), as: UTF8.self) + "…"
  }
}
