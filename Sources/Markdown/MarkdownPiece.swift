/// A piece of a line of Markdown.
///
/// Emphasis and links are pairs of pieces, one that begins them and one that ends them.
package enum MarkdownPiece: Equatable, Sendable {
  /// Text, from which the backslashes of escapes are removed.
  case text(ArraySlice<UInt8>)
  /// A character reference: the characters that it stands for, and its source text.
  case reference([UInt8], source: ArraySlice<UInt8>)
  /// A code span: its content, and its source text including the marks.
  case code(ArraySlice<UInt8>, source: ArraySlice<UInt8>)
  /// The beginning of emphasis.
  case emphasis(MarkdownEmphasis)
  /// The end of the innermost emphasis.
  case endOfEmphasis
  /// The beginning of a link with the given address. The address of a reference link is empty.
  case link([UInt8])
  /// The end of the innermost link.
  case endOfLink
}

/// A kind of emphasis.
package enum MarkdownEmphasis: Equatable, Sendable {
  /// Emphasis, which is written with single marks.
  case slanted
  /// Strong emphasis, which is written with double marks.
  case strong
  /// Strikethrough, which is written with two tildes.
  case struck
}

/// A finder of code spans in a line.
///
/// It searches for the counterpart of an unclosed mark only once. A line therefore takes time
/// proportional to its length.
package struct MarkdownCode {
  /// The maximum length of a mark that begins a code span.
  private static let longestMark = 32

  /// The lengths of marks that do not occur again in the rest of the line.
  private var unclosed: Set<Int> = []
  /// The number of bytes that were read, which measures the work.
  private(set) var steps = 0

  /// Creates a finder for one line.
  package init() {}

  /// Returns the range of the content of the code span that begins at `index`.
  ///
  /// It is nil if the mark at `index` is text.
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
