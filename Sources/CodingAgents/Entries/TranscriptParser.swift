public import Core

/// A parser of a transcript that consists of lines.
///
/// Lines are read in order, each once. The parser has no effects: it may be stored, together with
/// the position in the file, and continue later. Its memory does not grow with the file.
public protocol TranscriptParser: Codable, Sendable {
  /// Returns the entries of the given object, which is a line of the transcript.
  mutating func entries(of line: JSONObject) -> [SessionEntry]

  /// Returns the entries that were pending when the file ended.
  ///
  /// If the file grows afterwards, later lines may report the same things again.
  func end() -> [SessionEntry]

  /// The session that lines belong to, as far as it is known.
  var session: SessionKey { get }
}

extension TranscriptParser {
  /// Returns no entries: most lines are complete.
  public func end() -> [SessionEntry] { [] }

  /// Returns the entries of the given line; an unreadable part of a line is such an entry.
  ///
  /// Other processes may have written to the file at the same time, or the system may have stopped.
  /// A line may then contain several records, or parts of some.
  public mutating func entries(of line: [UInt8]) -> [SessionEntry] {
    guard line.contains(where: { $0 == 0 || $0 > 0x20 }) else { return [] }
    if let object = JSONObject(line) { return entries(of: object) }
    let spliced = SplicedLine(line)
    var found = spliced.isLossy ? [SessionEntry(session, .unreadable, at: nil)] : []
    for record in spliced.records { found += entries(of: record) }
    return found
  }
}
