/// The largest sizes of the texts that are read from a transcript, in Unicode scalars.
///
/// They bound the memory that a session needs.
public struct SessionLimits: Codable, Sendable, Hashable {
  /// The largest size of a message's text or reasoning.
  public var text: Int
  /// The largest size of a tool's result.
  public var result: Int
  /// The largest size of the arguments of a tool call.
  public var arguments: Int

  /// The limits for transcripts that become chats.
  public static let chats = SessionLimits(text: 1_000_000, result: 50_000, arguments: 200_000)
  /// The limits for readers that need no text.
  public static let noText = SessionLimits(text: 0, result: 0, arguments: 0)

  /// `true` if texts are read.
  public var readsText: Bool { text > 0 }

  /// Creates limits.
  public init(text: Int, result: Int, arguments: Int) {
    (self.text, self.result, self.arguments) = (text, result, arguments)
  }

  /// Returns the given text, cut at a limit, with a sentence about the cut.
  static func cut(_ text: String, at limit: Int, _ what: String) -> String {
    guard limit > 0 else { return "" }
    // A scalar has at least one byte.
    guard text.utf8.count > limit else { return text }
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return String(scalars[..<end])
      + "\n[The \(what) was cut: it has \(scalars.count) characters; \(limit) are shown.]"
  }

  /// Returns the given text of a message, cut at its limit.
  func message(_ text: String) -> String { Self.cut(text, at: self.text, "text") }

  /// Returns the given text of a result, cut at its limit.
  func output(_ text: String) -> String { Self.cut(text, at: result, "result") }
}
