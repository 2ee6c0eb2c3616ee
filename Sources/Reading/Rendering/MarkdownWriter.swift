/// A writer of Markdown lines.
///
/// The marks of quotes, list items and headings are written before each line. A gap is written as
/// soon as more text follows. Emphasis marks are written as control bytes, which no text contains.
/// ``finished()`` replaces or removes them, because the characters on both sides are known only
/// then.
struct MarkdownWriter {
  /// The gap to write between the output and the next text.
  enum Gap: Int, Comparable {
    case none, space
    /// The gap between two parts of a table cell.
    case part
    case line, hardBreak, tight, blank

    static func < (left: Gap, right: Gap) -> Bool { left.rawValue < right.rawValue }
  }

  /// The kinds of marks that enclose words.
  enum Mark: UInt8 {
    case strong = 1
    case emphasis = 3
    case strike = 5
    /// A link. Its target is ``MarkdownWriter/target``.
    case link = 7
  }

  /// A quote, a list item or a heading that contains text.
  private struct Container {
    /// The mark before the first line, such as `- `.
    var first: [UInt8]
    /// The mark before all other lines.
    var rest: [UInt8]
    var isBegun = false

    var isQuote: Bool { rest.first == UInt8(ascii: ">") }
  }

  /// The maximum number of containers with marks.
  ///
  /// Each line repeats all marks. Deep nesting would therefore turn a small page into a large
  /// result.
  private static let maximumContainers = 24

  private(set) var output: [UInt8] = []
  private var containers: [Container] = []
  /// The number of open containers beyond the maximum.
  ///
  /// They have no marks.
  private var unmarked = 0
  private(set) var gap = Gap.none
  /// The marks to write before the next word.
  private var opening: [Mark] = []
  /// The marks in the output that are open.
  private var active: [Mark] = []
  /// The address of the open link.
  var target: [UInt8] = []
  /// `true` if the next word begins a line, where more characters have a meaning.
  private(set) var isLineStart = true
  /// The nesting depth of a requested rule that was not written yet; nil if there is none.
  private var ruleDepth: Int?
  /// The range of the bare address at the end of the last word; nil if there is none.
  private var address: Range<Int>?
  /// `true` if the last word is an address that has no marks around it.
  var endsInAddress = false
  /// The number of open headings and table cells, which must stay on one line.
  var singleLine = 0
  /// The offset in the output at which the open table cell begins; nil outside of cells.
  private var cellStart: Int?

  /// Requests that the gap before the next text is at least the given one.
  mutating func separate(_ wanted: Gap) {
    // There is no gap between a container's mark and its first text.
    guard containers.last?.isBegun ?? true else { return }
    guard singleLine > 0 else { return gap = max(gap, wanted) }
    let isBreak = wanted > .space && cellStart.map { $0 < output.count } ?? false
    gap = max(gap, isBreak ? .part : .space)
  }

  /// Ends the line.
  ///
  /// If no word was written since the last line break, the paragraph is ended.
  mutating func breakLine() {
    separate(gap == .hardBreak ? .blank : .hardBreak)
  }

  /// `true` if nothing was written in the innermost container yet.
  var isAtStart: Bool { output.isEmpty || !(containers.last?.isBegun ?? true) }

  /// Requests a horizontal rule between the output and the next text.
  ///
  /// At the start or end of the document or of a container, no rule is written. It could be read
  /// there as a list mark or as metadata.
  mutating func rule() {
    separate(.blank)
    if !isAtStart { ruleDepth = depth }
  }

  // MARK: Containers

  /// Begins a container.
  ///
  /// `first` is the mark before its first line, `rest` before the other lines. The marks are
  /// written as soon as text follows.
  mutating func begin(first: [UInt8], rest: [UInt8]) {
    guard containers.count < Self.maximumContainers else {
      unmarked += 1
      return
    }
    containers.append(Container(first: first, rest: rest))
  }

  /// Ends the innermost container.
  mutating func endContainer() {
    if unmarked > 0 {
      unmarked -= 1
    } else if !containers.isEmpty {
      containers.removeLast()
    }
  }

  /// Ends a list item.
  ///
  /// The next item begins on the next line.
  mutating func endItem() {
    let holdsSome = unmarked == 0 && containers.last?.isBegun ?? false
    endContainer()
    // An empty item was never written.
    if holdsSome { gap = output.isEmpty ? .none : .tight }
  }

  /// Ends the innermost quotes and returns their number.
  mutating func leaveQuotes() -> Int {
    guard unmarked == 0 else { return 0 }
    let quotes = containers.reversed().prefix { $0.isQuote }.count
    // A quote with a list inside is not ended, because the list would have to start again.
    containers.removeLast(quotes)
    return quotes
  }

  /// Begins the given number of quotes again, after they were left.
  mutating func resume(_ quotes: Int) {
    for _ in 0..<quotes { beginQuote() }
  }

  /// Begins a quote.
  mutating func beginQuote() { begin(first: Array("> ".utf8), rest: Array("> ".utf8)) }

  /// The number of nested containers.
  var depth: Int { containers.count + unmarked }

  /// Begins a table row.
  ///
  /// The row is on its own line even if ``singleLine`` is not 0.
  mutating func beginRow() {
    gap = max(gap == .space ? .none : gap, .line)
  }

  /// Begins a table cell.
  mutating func beginCell() {
    write([UInt8(ascii: "|")])
    gap = .space
    cellStart = output.count
  }

  /// Ends a table cell.
  mutating func endCell() {
    gap = .space
    cellStart = nil
  }

  // MARK: Marks

  /// Opens the given mark.
  ///
  /// It is written with the next word.
  mutating func open(_ mark: Mark) { opening.append(mark) }

  /// Closes the given mark.
  ///
  /// If no word was written since ``open(_:)``, the mark is discarded.
  mutating func close(_ mark: Mark) {
    if let index = opening.lastIndex(of: mark) {
      opening.remove(at: index)
    } else if active.last == mark {
      active.removeLast()
      end(mark)
    } else if let index = active.lastIndex(of: mark) {
      active.remove(at: index)
    }
  }

  /// Discards a link that has no text yet.
  mutating func abandonLink() { opening.removeAll { $0 == .link } }

  private mutating func end(_ mark: Mark) {
    guard mark == .link else { return output.append(mark.rawValue + 1) }
    output.append(contentsOf: "](".utf8)
    output.append(contentsOf: target)
    output.append(UInt8(ascii: ")"))
  }

  private mutating func start(_ mark: Mark) {
    guard mark == .link else { return output.append(mark.rawValue) }
    // A `!` before a link would turn it into an image.
    var last = output.count - 1
    while last >= 0, output[last] < 7, output[last] > 0 { last -= 1 }
    if last >= 0, output[last] == UInt8(ascii: "!") {
      output.insert(UInt8(ascii: "\\"), at: last)
    }
    output.append(UInt8(ascii: "["))
  }

  // MARK: Text

  /// Writes the pending gap and marks, and then the given bytes.
  ///
  /// They must not contain line breaks.
  mutating func write(_ text: some Collection<UInt8>) {
    flush()
    output.append(contentsOf: text)
    isLineStart = false
  }

  /// Appends the given byte to the output, without pending gaps and marks.
  mutating func append(_ byte: UInt8) {
    output.append(byte)
    isLineStart = false
  }

  /// Appends the given bytes to the output, without pending gaps and marks.
  mutating func append(_ bytes: some Collection<UInt8>) {
    output.append(contentsOf: bytes)
    isLineStart = false
  }

  /// Appends the given word, with backslashes, to the output, without pending gaps and marks.
  mutating func append(_ word: ArraySlice<UInt8>, _ escaping: MarkdownEscaping) {
    address = escaping.append(word, to: &output)
    endsInAddress =
      word.contains(UInt8(ascii: ":")) || word.contains(UInt8(ascii: "@"))
      || word.starts(with: "www.".utf8)
    isLineStart = false
  }

  /// The last byte of the output.
  ///
  /// It is a star for any emphasis mark, and 0 if the output is empty. A bracket before an emphasis
  /// mark is returned instead of the mark, because the mark may still be dropped.
  var lastByte: UInt8 {
    guard mark != 0 else { return output.last ?? 0 }
    return lastVisible == UInt8(ascii: "]") ? lastVisible : mark
  }

  /// The last byte of the output that is not an emphasis mark; 0 if there is none.
  var lastVisible: UInt8 { output.last { $0 == 0 || $0 > 6 } ?? 0 }

  /// A star if the last thing written is an emphasis mark; otherwise 0.
  var mark: UInt8 { (1...6).contains(output.last ?? 0) ? UInt8(ascii: "*") : 0 }

  /// Returns `true` if the output after the offset `end` consists only of emphasis marks.
  func endsInMarks(after end: Int) -> Bool {
    end > 0 && end <= output.count && output[end...].allSatisfy { $0 > 0 && $0 < 7 }
  }

  /// Shortens the output to the given number of bytes.
  mutating func truncate(to count: Int) {
    if count < output.count { output.removeSubrange(count...) }
  }

  /// Writes preformatted lines.
  ///
  /// Each follows the marks of its containers.
  mutating func write(lines: some Collection<UInt8>) {
    flush()
    var isFirst = true
    for line in lines.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if !isFirst { newLine(blank: line.isEmpty) }
      isFirst = false
      output.append(contentsOf: line)
    }
    isLineStart = false
  }

  /// Writes the pending gap and marks before a text that begins with the given byte.
  mutating func flush(before first: UInt8 = 0) {
    if gap == .none { endAddress() }
    if output.isEmpty {
      writeMarks()
    } else if gap > .none {
      writeGap(before: first)
    }
    gap = .none
    ruleDepth = nil
    guard !opening.isEmpty else { return }
    for mark in opening { start(mark) }
    active.append(contentsOf: opening)
    // An emphasis mark may still be dropped; then the next text begins the line.
    if opening.contains(.link) { isLineStart = false }
    opening.removeAll(keepingCapacity: true)
  }

  /// Encloses the last bare address in `<` and `>`, because text follows it directly.
  private mutating func endAddress() {
    guard let address else { return }
    self.address = nil
    guard endsInMarks(after: address.upperBound) else { return }
    output.insert(UInt8(ascii: ">"), at: address.upperBound)
    output.insert(UInt8(ascii: "<"), at: address.lowerBound)
  }

  /// Returns the gap between two parts of a table cell, from the bytes before and after it.
  static func partGap(between last: UInt8, and first: UInt8) -> String.UTF8View {
    (",;:".utf8.contains(last) || first == UInt8(ascii: "(") ? " " : ", ").utf8
  }

  private mutating func writeGap(before first: UInt8) {
    switch gap {
    case .none: return
    case .space: output.append(0x20)
    case .part:
      output.append(contentsOf: Self.partGap(between: lastVisible, and: first))
    case .hardBreak:
      // A backslash here would become part of the address, and would turn a lone star into a mark.
      let isBare = endsInAddress || "*_".utf8.contains(lastVisible)
      output.append(contentsOf: isBare ? "  ".utf8 : "\\".utf8)
      newLine(blank: false)
    case .line, .tight, .blank:
      // Marks do not span blocks: emphasis starts again, and a link ends.
      for mark in active.reversed() { end(mark) }
      active.removeAll { $0 == .link }
      if gap == .blank {
        emptyLine()
        if let ruleDepth, ruleDepth == containers.lazy.filter({ $0.isBegun }).count {
          output.append(0x0A)
          for container in containers where container.isBegun {
            output.append(contentsOf: container.rest)
          }
          output.append(contentsOf: "---".utf8)
          emptyLine()
        }
      }
      newLine(blank: false)
      for mark in active { start(mark) }
    }
  }

  private mutating func emptyLine() {
    output.append(0x0A)
    for container in containers where container.isBegun {
      output.append(contentsOf: container.rest)
    }
    while output.last == 0x20 { output.removeLast() }
  }

  private mutating func newLine(blank: Bool) {
    output.append(0x0A)
    writeMarks()
    if blank { while output.last == 0x20 { output.removeLast() } }
  }

  private mutating func writeMarks() {
    isLineStart = true
    for index in containers.indices {
      let container = containers[index]
      output.append(contentsOf: container.isBegun ? container.rest : container.first)
      containers[index].isBegun = true
      // No block can begin inside a heading.
      if container.first.first == UInt8(ascii: "#") { isLineStart = false }
    }
  }
}
