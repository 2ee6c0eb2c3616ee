public import Core

/// A parser of what a program prints for other programs, line by line.
///
/// Lines are read in order, each once. The parser has no effects.
public protocol OutputParser: Sendable {
  /// `true` after a line of the program was seen.
  ///
  /// From then on, other JSON objects may also count as the program's.
  var isKnown: Bool { get }

  /// Returns the entries of the given line, an object; nil if the program did not print it.
  ///
  /// Entries without a time belong to the time of the line.
  mutating func entries(of line: JSONObject, at now: Timestamp) -> [SessionEntry]?

  /// Returns the entries of the given line, which is no object.
  mutating func entries(ofPlain line: [UInt8]) -> [SessionEntry]

  /// Returns the entries that were pending when the output ended.
  ///
  /// The same program may then print again, because its command is repeated.
  mutating func end() -> [SessionEntry]
}

extension OutputParser {
  /// Returns no entries: most programs print only objects.
  public mutating func entries(ofPlain line: [UInt8]) -> [SessionEntry] { [] }

  /// Returns no entries: most lines are complete.
  public mutating func end() -> [SessionEntry] { [] }
}

extension SessionLimits {
  /// No limits, for texts of which only the length and the repetitions are reported.
  static let whole = SessionLimits(text: .max, result: .max, arguments: 0)
}

extension SessionEntry.Content {
  /// Returns a line for the log, with at most 1000 characters.
  static func note(_ level: Log.Level, _ text: some StringProtocol) -> Self {
    .output(.note(level, String(text.prefix(1000))))
  }

  /// Returns the limit that the given message of an error reports; nil if it names no time.
  static func limit(in message: String, at now: Timestamp) -> Self? {
    LimitReset.time(in: message, at: now).map { .output(.limit($0)) }
  }

  /// Returns the call of the given tool, or the first part of it, as an answer of a model.
  static func tool(_ id: String?, _ name: String) -> Self {
    var answer = SessionAnswer(id: "")
    answer.toolCalls = [SessionToolCall(id: id ?? "", name: String(name.prefix(200)))]
    return .answer(answer)
  }

  /// Returns the given text of a model's answer.
  static func text(_ text: String) -> Self {
    var answer = SessionAnswer(id: "")
    answer.text = text
    return .answer(answer)
  }
}
