/// A piece of a line of Markdown; what a mark encloses stands between its beginning and its end.
package enum MarkdownPiece: Equatable, Sendable {
  /// Text, without the backslashes of escapes.
  case text(ArraySlice<UInt8>)
  /// The text of a character reference, and the reference as it is written.
  case reference([UInt8], source: ArraySlice<UInt8>)
  /// The content of a span of code, and the span with its marks.
  case code(ArraySlice<UInt8>, source: ArraySlice<UInt8>)
  /// The beginning of emphasis.
  case emphasis(MarkdownEmphasis)
  /// The end of the emphasis that began last.
  case endOfEmphasis
  /// The beginning of a link with its address, which is empty for a link by reference.
  case link([UInt8])
  /// The end of the link that began last.
  case endOfLink
}

/// The kinds of emphasis.
package enum MarkdownEmphasis: Equatable, Sendable {
  /// Between single marks.
  case slanted
  /// Between two marks.
  case strong
  /// Between two tildes.
  case struck
}

/// The spans of code in a line.
///
/// Marks that nothing closes are looked for once, so that a line of them is read in linear time.
package struct MarkdownCode {
  /// A longer mark begins no span.
  private static let longestMark = 32

  /// The lengths of the marks that the rest of the line does not hold.
  private var unclosed: Set<Int> = []
  /// The number of bytes that were read.
  private(set) var steps = 0

  /// Creates a reader for a line.
  package init() {}

  /// Returns the range of the content of the span that begins with the mark at an index; nil if the
  /// mark is text.
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
