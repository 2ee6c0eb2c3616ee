/// A piece of a line of Markdown.
///
/// Emphasis and links enclose the pieces between their beginning and their end.
package enum MarkdownPiece: Equatable, Sendable {
  /// Text, in which the backslashes of escapes are removed.
  case text(ArraySlice<UInt8>)
  /// The text of a character reference, and the reference as the author wrote it.
  case reference([UInt8], source: ArraySlice<UInt8>)
  /// The content of a code span, and the whole span with its marks.
  case code(ArraySlice<UInt8>, source: ArraySlice<UInt8>)
  /// The beginning of emphasis.
  case emphasis(MarkdownEmphasis)
  /// The end of the innermost emphasis.
  case endOfEmphasis
  /// The beginning of a link with the given address; the address is empty for a reference link.
  case link([UInt8])
  /// The end of the innermost link.
  case endOfLink
}

/// A kind of emphasis.
package enum MarkdownEmphasis: Equatable, Sendable {
  /// Emphasis between single marks.
  case slanted
  /// Strong emphasis between two marks.
  case strong
  /// Strikethrough between two tildes.
  case struck
}

/// A finder of the code spans in a line.
///
/// An unclosed mark is searched only once, so a line takes time proportional to its length.
package struct MarkdownCode {
  /// The maximum length of a mark that begins a span.
  private static let longestMark = 32

  /// The lengths of marks that do not occur again in the line.
  private var unclosed: Set<Int> = []
  /// The number of bytes read, as a measure of work.
  private(set) var steps = 0

  /// Creates a finder for one line.
  package init() {}

  /// Returns the range of the content of the code span whose mark is at `index`; nil if the mark is
  /// text.
  package mutating func content(in line: ArraySlice<UInt8>, at index: Int) -> Range<Int>? {
    let tick = UInt8(ascii: "`")
    let mark = line.run(of: tick, at: index)
    guard mark <= Self.longestMark, !unclosed.contains(mark) else { return nil }
    var at = index + mark
    while let next = line[at...].firstIndex(of: tick) {
      let length = line.run(of: tick, at: next)
      steps += next - at + length
      if length == mark { return (index + mark)..<next }
      at = next + length
    }
    steps += line.endIndex - at
    unclosed.insert(mark)
    return nil
  }
}
