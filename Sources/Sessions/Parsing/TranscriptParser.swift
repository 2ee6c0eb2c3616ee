public import Core

/// A parser of a transcript that consists of lines.
///
/// Lines are read in order, each once. The parser has no effects: it may be stored, together with
/// the position in the file, and continue later. Its memory does not grow with the file.
public protocol TranscriptParser: Codable, Sendable {
  /// Returns the entries of the given object, which is a line of the transcript.
  mutating func entries(of line: JSONObject) -> [SessionEntry]

  /// The session that lines belong to, as far as it is known.
  var session: SessionKey { get }
}

extension TranscriptParser {
  /// Returns the entries of the given line; an unreadable line is such an entry.
  public mutating func entries(of line: [UInt8]) -> [SessionEntry] {
    guard line.contains(where: { $0 > 0x20 }) else { return [] }
    guard let object = JSONObject(line) else {
      return [SessionEntry(session, .unreadable, at: nil)]
    }
    return entries(of: object)
  }
}
