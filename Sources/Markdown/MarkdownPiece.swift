/// A piece of a line of Markdown; enclosed text is between a beginning and an end piece.
package enum MarkdownPiece: Equatable, Sendable {
  /// Text without the backslashes of escapes.
  case text(ArraySlice<UInt8>)
  /// The text of a character reference, and the reference as written.
  case reference([UInt8], source: ArraySlice<UInt8>)
  /// The content of a code span, and the span with its marks.
  case code(ArraySlice<UInt8>, source: ArraySlice<UInt8>)
  /// The beginning of emphasis.
  case emphasis(MarkdownEmphasis)
  /// The end of the innermost emphasis.
  case endOfEmphasis
  /// The beginning of a link with its address; empty for a reference link.
  case link([UInt8])
  /// The end of the innermost link.
  case endOfLink
}

/// The kinds of emphasis.
package enum MarkdownEmphasis: Equatable, Sendable {
  /// Emphasis between single marks.
  case slanted
  /// Strong emphasis between two marks.
  case strong
  /// Strikethrough between two tildes.
  case struck
}

/// The code spans in a line.
///
/// An unclosed mark is searched only once, so that a line of such marks is read in linear time.
package struct MarkdownCode {
  /// The longest mark that begins a span.
  private static let longestMark = 32

  /// The lengths of marks that do not occur in the rest of the line.
  private var unclosed: Set<Int> = []
  /// The number of bytes read.
  private(set) var steps = 0

  /// Creates a reader for a line.
  package init() {}

  /// Returns the range of the content of the span whose mark is at an index; nil if the mark is
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
