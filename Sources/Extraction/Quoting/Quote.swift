/// A sentence and the source that it is taken from.
struct Quote: Sendable, Hashable {
  /// The sentence, on one line.
  var text: String
  /// The number of its source, from 1.
  var source: Int
  /// The heading that it stood under.
  var heading: String?
  /// Its position in the source.
  var position: Int

  /// Longer sentences are quoted to here.
  private static let longest = 480

  /// The quote as a Markdown list item; ``init(line:)`` reads it back.
  var line: String {
    let topic = heading.map { "**\(InlineMarkdown.escaped($0)):** " } ?? ""
    return "- \(topic)“\(InlineMarkdown.escaped(shortened))” [\(source)]"
  }

  /// The sentence, cut at a word where it is too long.
  var shortened: String {
    guard text.count > Self.longest else { return text }
    let start = text.prefix(Self.longest)
    // A script without spaces is cut where it is.
    let end = start.lastIndex(of: " ") ?? start.endIndex
    return start[..<end] + " …"
  }

  init(_ passage: Passage, source: Int) {
    text = passage.text
    self.source = source
    heading = passage.heading
    position = passage.position
  }

  /// Reads a list item that ``line`` wrote; nil for any other line.
  init?(line: Substring, position: Int) {
    guard line.hasPrefix("- "), line.last == "]", let open = line.firstIndex(of: "“"),
      let close = line.lastIndex(of: "”"), open < close
    else { return nil }
    let mark = line[line.index(after: close)...].dropLast()
    guard mark.hasPrefix(" ["), let source = Int(mark.dropFirst(2)), source > 0 else { return nil }
    let before = line[..<open].dropFirst(2)
    if before.hasPrefix("**"), before.hasSuffix(":** ") {
      heading = InlineMarkdown.plain(String(before.dropFirst(2).dropLast(4)))
    } else if !before.isEmpty {
      return nil
    }
    text = InlineMarkdown.plain(String(line[line.index(after: open)..<close]))
    self.source = source
    self.position = position
  }
}
