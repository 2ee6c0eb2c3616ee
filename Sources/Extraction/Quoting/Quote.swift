/// A sentence that can be quoted, with its source.
struct Quote: Sendable, Hashable {
  /// The sentence, on one line.
  var text: String
  /// The number of the source.
  ///
  /// The first source has 1.
  var source: Int
  /// The nearest heading above the sentence; nil if there is none.
  var heading: String?
  /// The position of the sentence among the sentences of its source.
  var position: Int

  /// The maximum length of a quoted sentence.
  ///
  /// Longer sentences are shortened.
  private static let longest = 480

  /// The quote as a Markdown list item, which ``init(line:position:)`` can parse.
  var line: String {
    let topic = heading.map { "**\(InlineMarkdown.escaped($0)):** " } ?? ""
    return "- \(topic)“\(InlineMarkdown.escaped(shortened))” [\(source)]"
  }

  /// The sentence.
  ///
  /// If it is too long, it is shortened at a word boundary.
  var shortened: String {
    guard text.count > Self.longest else { return text }
    let start = text.prefix(Self.longest)
    // Without a space to cut at, as in some scripts, the text is cut at the limit.
    let end = start.lastIndex(of: " ") ?? start.endIndex
    return start[..<end] + " …"
  }

  init(_ passage: Passage, source: Int) {
    text = passage.text
    self.source = source
    heading = passage.heading
    position = passage.position
  }

  /// Parses a list item that has the form of ``line``; nil for any other line.
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
