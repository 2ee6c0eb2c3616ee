/// A reader of the inline marks in a line of Markdown, or in the lines of one paragraph.
///
/// The marks are emphasis, code, links, tags and character references (CommonMark 0.31, section 6).
/// Reading takes time proportional to the length of the text.
package struct MarkdownInline {
  /// The ways in which callers can have marks treated.
  package struct Options: OptionSet, Sendable {
    /// The set of options as bits.
    package let rawValue: Int

    /// Creates a set of options from the given bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Emphasis marks are paired, as they are in a whole paragraph.
    ///
    /// Without this option, each mark that touches a word is removed alone, because its counterpart
    /// may be on another line.
    package static let pairs = Options(rawValue: 1)
    /// Images become links with the image's description as their text.
    ///
    /// Without this option, images are removed.
    package static let images = Options(rawValue: 2)
    /// Text of the form `[text][name]` is a link.
    package static let references = Options(rawValue: 4)
    /// Text of the form `[text]` or `[text][name]` is a link if it follows a space.
    ///
    /// Footnotes such as `[12]` are removed.
    package static let shortcuts = Options(rawValue: 8)
    /// HTML tags are removed.
    ///
    /// Without this option, they are text.
    package static let tags = Options(rawValue: 16)
  }

  /// The maximum nesting of links.
  private static let greatestDepth = 8

  /// The pieces that the line consists of, in order.
  package private(set) var pieces: [MarkdownPiece] = []
  /// The number of bytes that were read, which measures the work.
  package private(set) var steps: Int

  private let line: ArraySlice<UInt8>
  private let options: Options
  private var index: Int
  /// The start of the text that is not yet part of a piece.
  private var start: Int
  /// The index of the closing bracket that belongs to each opening bracket.
  private var closing: [Int: Int] = [:]
  /// The range of each code span's content, by the index of the span's mark.
  private var code: [Int: Range<Int>] = [:]
  /// The links that are open.
  ///
  /// Each has the end of its text and the end of the whole link.
  private var open: [(end: Int, next: Int)] = []
  private var emphasis = MarkdownDelimiters()
  /// The index of the next `>`.
  ///
  /// It is searched again only after the reader has passed it.
  private var nextAngle: Int

  /// Reads the given line.
  package init(_ line: ArraySlice<UInt8>, _ options: Options = []) {
    self.line = line
    self.options = options
    steps = 2 * line.count
    index = line.startIndex
    start = index
    nextAngle = index - 1
    findBrackets()
    while index < line.endIndex { step() }
    flush()
    pieces += open.map { _ in .endOfLink }
    pieces = emphasis.applied(to: pieces)
  }

  /// Finds the code spans and the pairs of brackets.
  ///
  /// Brackets inside code spans are not counted.
  private mutating func findBrackets() {
    var spans = MarkdownCode()
    var square: [Int] = []
    var round: [Int] = []
    var at = line.startIndex
    while at < line.endIndex {
      switch line[at] {
      case UInt8(ascii: "\\") where byte(at: at + 1).isPunctuation: at += 1
      case UInt8(ascii: "`"):
        let content = spans.content(in: line, at: at)
        code[at] = content
        let mark = line.run(of: UInt8(ascii: "`"), at: at)
        at = (content?.upperBound ?? at) + mark - 1
      case UInt8(ascii: "["): square.append(at)
      case UInt8(ascii: "]"): if let start = square.popLast() { closing[start] = at }
      case UInt8(ascii: "("): round.append(at)
      case UInt8(ascii: ")"):
        if let start = round.popLast(), start > line.startIndex,
          line[start - 1] == UInt8(ascii: "]")
        {
          closing[start] = at
        }
      default: break
      }
      at += 1
    }
    steps += spans.steps
  }

  private mutating func step() {
    if let link = open.last, index >= link.end {
      add(.endOfLink, next: max(index, link.next))
      open.removeLast()
      emphasis.leave()
      return
    }
    switch line[index] {
    case UInt8(ascii: "\\") where byte(at: index + 1).isPunctuation:
      flush()
      start = index + 1
      index += 2
    case UInt8(ascii: "`"): span()
    case UInt8(ascii: "!") where byte(at: index + 1) == UInt8(ascii: "["):
      bracket(at: index + 1, isImage: true)
    case UInt8(ascii: "["): bracket(at: index, isImage: false)
    case UInt8(ascii: "<"): angle()
    case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): delimiter()
    case UInt8(ascii: "&"): reference()
    default: index += 1
    }
  }

  private func byte(at index: Int) -> UInt8 { index < line.endIndex ? line[index] : 0 }

  /// Adds the text before `index` as a piece.
  private mutating func flush() {
    if start < index { pieces.append(.text(line[start..<min(index, line.endIndex)])) }
  }

  /// Adds the text before `index`, and then the given piece if there is one.
  ///
  /// Reading continues at `next`.
  private mutating func add(_ piece: MarkdownPiece?, next: Int) {
    flush()
    if let piece { pieces.append(piece) }
    index = next
    start = next
  }

  private mutating func span() {
    let mark = line.run(of: UInt8(ascii: "`"), at: index)
    guard let content = code[index] else { return index += mark }
    let next = content.upperBound + mark
    var text = line[content]
    if text.count > 2, text.first == 0x20, text.last == 0x20, text.contains(where: { $0 != 0x20 }) {
      text = text.dropFirst().dropLast()
    }
    add(.code(text, source: line[index..<next]), next: next)
  }

  private mutating func bracket(at first: Int, isImage: Bool) {
    guard let end = closing[first], isImage || open.count < Self.greatestDepth else {
      return index += 1
    }
    let named = byte(at: end + 1) == UInt8(ascii: "[") ? closing[end + 1].map { $0 + 1 } : nil
    if let (address, next) = target(behind: end) {
      link(address, from: first, to: end, next: next, isImage: isImage)
    } else if let named, options.contains(.references) {
      link([], from: first, to: end, next: named, isImage: isImage)
    } else if isImage || !options.contains(.shortcuts) {
      index += 1
    } else if isFootnote(line[(first + 1)..<end]) {
      add(nil, next: end + 1)
    } else if first == line.startIndex || " (".utf8.contains(line[first - 1]) {
      link([], from: first, to: end, next: named ?? end + 1, isImage: false)
    } else {
      index += 1
    }
  }

  private mutating func link(
    _ address: [UInt8], from first: Int, to end: Int, next: Int, isImage: Bool
  ) {
    guard !isImage || options.contains(.images) else { return add(nil, next: next) }
    guard open.count < Self.greatestDepth else { return index += 1 }
    add(.link(address), next: first + 1)
    open.append((end, next))
    emphasis.enter()
  }

  /// Returns the address in parentheses that follows the closing bracket at `end`.
  ///
  /// The end of the link is returned, too. The result is nil if there is no address.
  private func target(behind end: Int) -> (address: [UInt8], next: Int)? {
    guard byte(at: end + 1) == UInt8(ascii: "("), let last = closing[end + 1] else { return nil }
    let inner = line[(end + 2)..<last].trimmed
    let address =
      inner.first == UInt8(ascii: "<")
      ? inner.dropFirst().prefix { $0 != UInt8(ascii: ">") } : inner.prefix { !$0.isSpace }
    return (Self.unescaped(address), last + 1)
  }

  /// Returns the given address with its escapes and character references resolved.
  private static func unescaped(_ address: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var index = address.startIndex
    while index < address.endIndex {
      let next = index + 1 < address.endIndex ? address[index + 1] : 0
      if address[index] == UInt8(ascii: "\\"), next.isPunctuation {
        index += 1
      } else if let found = MarkupReference(markdown: address[index...]) {
        result += found.text
        index += found.length
        continue
      }
      result.append(address[index])
      index += 1
    }
    return result
  }

  /// Returns `true` if the text between brackets is a footnote mark, such as `12` or `^note`.
  private func isFootnote(_ content: ArraySlice<UInt8>) -> Bool {
    content.first == UInt8(ascii: "^") || (content.count <= 4 && content.allSatisfy(\.isDigit))
  }

  /// Reads an address in angle brackets or a tag.
  private mutating func angle() {
    let word = line[(index + 1)...].prefix { !$0.isSpace && !"<>".utf8.contains($0) }
    if byte(at: word.endIndex) == UInt8(ascii: ">"), let scheme = Self.scheme(of: word) {
      add(.link(scheme + word), next: index + 1)
      index = word.endIndex
      return add(.endOfLink, next: word.endIndex + 1)
    }
    if Self.breaks.contains(where: { line[index...].starts(with: $0.utf8) }) {
      flush()
      pieces.append(.text([0x20]))
      index = (line[index...].firstIndex(of: UInt8(ascii: ">")) ?? index) + 1
      return start = index
    }
    guard options.contains(.tags) else { return index += 1 }
    if nextAngle <= index {
      nextAngle = line[index...].firstIndex(of: UInt8(ascii: ">")) ?? line.endIndex
    }
    let first = byte(at: index + 1)
    guard nextAngle < line.endIndex, first.isLetter || first == UInt8(ascii: "/") else {
      return index += 1
    }
    add(nil, next: nextAngle + 1)
  }

  /// The tags that break a line, for example within a table cell.
  private static let breaks = ["<br>", "<br/>", "<br />"]

  /// Returns the scheme to write before the given address in angle brackets.
  ///
  /// It is empty if the address has a scheme, and nil if the text is not an address.
  private static func scheme(of word: ArraySlice<UInt8>) -> [UInt8]? {
    if ["http://", "https://", "mailto:"].contains(where: { word.starts(with: $0.utf8) }) {
      return []
    }
    let isMail = word.dropFirst().dropLast().contains(UInt8(ascii: "@"))
    return isMail && word.allSatisfy { $0.isLetter || $0.isDigit || "@.+-_".utf8.contains($0) }
      ? Array("mailto:".utf8) : nil
  }

  private mutating func delimiter() {
    let run = MarkdownDelimiters.Run(line, at: index)
    let next = index + run.count
    if options.contains(.pairs) {
      add(.text(line[index..<next]), next: next)
      emphasis.add(run, at: pieces.count - 1)
    } else if run.isMarkup {
      add(nil, next: next)
    } else {
      index = next
    }
  }

  /// Reads a character reference.
  ///
  /// The characters that it stands for are never marks.
  private mutating func reference() {
    guard let found = MarkupReference(markdown: line[index...]) else { return index += 1 }
    let next = index + found.length
    add(.reference(found.text, source: line[index..<next]), next: next)
  }
}
