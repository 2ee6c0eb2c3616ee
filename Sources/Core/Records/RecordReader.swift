import Foundation

/// A reader of a stream of records, line by line.
public struct RecordReader: ~Copyable {
  /// A line of the stream: a record, or the failure that prevented reading one.
  public enum Item: Sendable {
    /// A line that is a record.
    case record(RawRecord)
    /// A line that is not a record; reading continues after it.
    case bad(Failure)
  }

  private var lines: LineReader
  private var first: LineReader.Line?
  private var kind: Bool?

  /// Creates a reader of records from the given lines.
  public init(_ lines: consuming LineReader) {
    self.lines = lines
  }

  /// Returns `true` if the first non-blank line is a JSON object with a string `type`.
  ///
  /// Call it before anything else is read.
  ///
  /// - Throws: As ``LineReader/next()``.
  public mutating func holdsRecords() throws(Failure) -> Bool {
    if let kind { return kind }
    first = try nextLine()
    let isRecord = first?.bytes.map { (try? RawRecord(line: $0)) != nil } ?? false
    kind = isRecord
    return isRecord
  }

  /// Returns the next record or bad line; nil at the end of the input.
  ///
  /// Blank lines are skipped.
  ///
  /// - Throws: As ``LineReader/next()``.
  public mutating func next() throws(Failure) -> Item? {
    guard let line = try nextLine() else { return nil }
    let source = lines.source(line.number)
    guard let bytes = line.bytes else {
      return .bad(Failure(.badInput, "the line is over 16 MiB", input: source))
    }
    do {
      return .record(try RawRecord(line: bytes, source: source))
    } catch {
      return .bad(error)
    }
  }

  /// Returns the next non-blank line; nil at the end of the input.
  ///
  /// - Returns: The line's text, or the failure that prevented reading it.
  /// - Throws: As ``LineReader/next()``.
  public mutating func nextText() throws(Failure) -> Result<
    (text: String, source: String), Failure
  >? {
    guard let line = try nextLine() else { return nil }
    let source = lines.source(line.number)
    guard let bytes = line.bytes, let text = String(validating: bytes, as: UTF8.self) else {
      let reason = line.bytes == nil ? "over 16 MiB" : "not UTF-8"
      return .failure(Failure(.badInput, "the line is \(reason)", input: source))
    }
    return .success((text.trimmingCharacters(in: .whitespaces), source))
  }

  /// Returns the whole input as one text, without its leading blank lines.
  ///
  /// - Throws: As ``LineReader/text(after:)``.
  public mutating func text() throws(Failure) -> String {
    guard let start = try nextLine() else { return "" }
    return try lines.text(after: start)
  }

  private mutating func nextLine() throws(Failure) -> LineReader.Line? {
    if let line = first {
      first = nil
      return line
    }
    while let line = try lines.next() {
      let isBlank = line.bytes?.allSatisfy { $0 == 0x20 || $0 == 0x09 } ?? false
      if !isBlank { return line }
    }
    return nil
  }
}
