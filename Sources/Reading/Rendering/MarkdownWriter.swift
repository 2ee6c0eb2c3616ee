/// Writes Markdown line by line: containers (quotes, list items, headings) put their marks before
/// each line, spaces and gaps are held back until something follows them.
///
/// Marks of emphasis are written as control bytes, which no text holds, and become `*` or nothing
/// in ``finished()``, when what stands on both sides of them is known.
struct MarkdownWriter {
  /// What stands between what was written and what comes next.
  enum Gap: Int, Comparable {
    case none, space, line, hardBreak, tight, blank

    static func < (left: Gap, right: Gap) -> Bool { left.rawValue < right.rawValue }
  }

  /// Marks around words.
  enum Mark: UInt8 {
    case strong = 1
    case emphasis = 3
    case strike = 5
    /// A link, whose target is ``MarkdownWriter/target``.
    case link = 7
  }

  /// A quote, a list item or a heading.
  private struct Container {
    /// Before its first line, such as `- `.
    var first: [UInt8]
    /// Before its other lines.
    var rest: [UInt8]
    var isBegun = false

    var isQuote: Bool { rest.first == UInt8(ascii: ">") }
  }

  /// More containers than this are not marked: each line carries the marks of all, so that deep
  /// nesting would make a large answer of a small page.
  private static let maximumContainers = 24

  private(set) var output: [UInt8] = []
  private var containers: [Container] = []
  /// Containers begun beyond the maximum.
  private var unmarked = 0
  private(set) var gap = Gap.none
  /// Marks that are written together with the next word.
  private var opening: [Mark] = []
  /// Marks that were written and not closed.
  private var active: [Mark] = []
  /// The address of the open link.
  var target: [UInt8] = []
  /// Whether the next word begins a line, where more characters have a meaning.
  private(set) var isLineStart = true
  /// Containers around a rule that was asked for and not written yet.
  private var ruleDepth: Int?
  /// Where the bare address is that the last word ends with.
  private var address: Range<Int>?
  /// Whether the last word is an address that nothing marks as one.
  var endsInAddress = false
  /// Above 0, in a heading or a table cell, everything stays on one line.
  var singleLine = 0

  /// Asks for a gap before whatever comes next.
  mutating func separate(_ wanted: Gap) {
    // Nothing separates a container's mark from what comes first in it.
    guard containers.last?.isBegun ?? true else { return }
    gap = max(gap, singleLine > 0 ? .space : wanted)
  }

  /// Ends a line; a second time without a word in between, the paragraph.
  mutating func breakLine() {
    separate(gap == .hardBreak ? .blank : .hardBreak)
  }

  /// Whether nothing was written yet in the innermost container.
  var isAtStart: Bool { output.isEmpty || !(containers.last?.isBegun ?? true) }

  /// Asks for a rule between what was written and what comes next; none is written at a start or
  /// an end, where it separates nothing and would read as the mark of a list or of metadata.
  mutating func rule() {
    separate(.blank)
    if !isAtStart { ruleDepth = depth }
  }

  // MARK: Containers

  /// Begins a container; nothing is written until it holds something.
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

  /// Ends a list item: the next one follows on the next line, whatever this one held.
  mutating func endItem() {
    let holdsSome = unmarked == 0 && containers.last?.isBegun ?? false
    endContainer()
    // An empty item was never written.
    if holdsSome { gap = output.isEmpty ? .none : .tight }
  }

  /// Ends the quotes that nothing else is open in; how many they were.
  mutating func leaveQuotes() -> Int {
    guard unmarked == 0 else { return 0 }
    let quotes = containers.reversed().prefix { $0.isQuote }.count
    // Lists within a quote would have to begin anew behind it.
    containers.removeLast(quotes)
    return quotes
  }

  /// Goes on with so many quotes.
  mutating func resume(_ quotes: Int) {
    for _ in 0..<quotes { beginQuote() }
  }

  /// Begins a quote.
  mutating func beginQuote() { begin(first: Array("> ".utf8), rest: Array("> ".utf8)) }

  /// How deep containers are nested.
  var depth: Int { containers.count + unmarked }

  /// Begins a row of a table, which is a line of its own even where all else stays on one.
  mutating func beginRow() {
    gap = max(gap == .space ? .none : gap, .line)
  }

  // MARK: Marks

  /// Holds a mark back until a word follows; see ``close(_:)``.
  mutating func open(_ mark: Mark) { opening.append(mark) }

  /// Ends what ``open(_:)`` began, or forgets it when nothing was written since.
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

  /// Forgets a link that nothing was written of: what comes next cannot be part of one.
  mutating func abandonLink() { opening.removeAll { $0 == .link } }

  private mutating func end(_ mark: Mark) {
    guard mark == .link else { return output.append(mark.rawValue + 1) }
    output.append(contentsOf: "](".utf8)
    output.append(contentsOf: target)
    output.append(UInt8(ascii: ")"))
  }

  private mutating func start(_ mark: Mark) {
    guard mark == .link else { return output.append(mark.rawValue) }
    // `!` before a link would make an image of it.
    var last = output.count - 1
    while last >= 0, output[last] < 7, output[last] > 0 { last -= 1 }
    if last >= 0, output[last] == UInt8(ascii: "!") {
      output.insert(UInt8(ascii: "\\"), at: last)
    }
    output.append(UInt8(ascii: "["))
  }

  // MARK: Text

  /// Writes bytes without line breaks, after what was held back.
  mutating func write(_ text: some Collection<UInt8>) {
    flush()
    output.append(contentsOf: text)
    isLineStart = false
  }

  /// Writes bytes right behind what was written last.
  mutating func append(_ byte: UInt8) {
    output.append(byte)
    isLineStart = false
  }

  /// Writes bytes right behind what was written last.
  mutating func append(_ bytes: some Collection<UInt8>) {
    output.append(contentsOf: bytes)
    isLineStart = false
  }

  /// Writes a word with its backslashes right behind what was written last.
  mutating func append(_ word: ArraySlice<UInt8>, _ escaping: MarkdownEscaping) {
    address = escaping.append(word, to: &output)
    endsInAddress =
      word.contains(UInt8(ascii: ":")) || word.contains(UInt8(ascii: "@"))
      || word.starts(with: "www.".utf8)
    isLineStart = false
  }

  /// The last byte written, a star for any mark of emphasis, 0 for none.
  ///
  /// A bracket stays a bracket behind such a mark, which may yet be left out.
  var lastByte: UInt8 {
    guard mark != 0 else { return output.last ?? 0 }
    return lastVisible == UInt8(ascii: "]") ? lastVisible : mark
  }

  /// The last byte written that is no mark of emphasis, 0 for none.
  private var lastVisible: UInt8 { output.last { $0 == 0 || $0 > 6 } ?? 0 }

  /// A star when a mark of emphasis was written last, else 0.
  var mark: UInt8 { (1...6).contains(output.last ?? 0) ? UInt8(ascii: "*") : 0 }

  /// Whether nothing but marks of emphasis stands behind so many bytes.
  func endsInMarks(after end: Int) -> Bool {
    end > 0 && end <= output.count && output[end...].allSatisfy { $0 > 0 && $0 < 7 }
  }

  /// Takes back what was written after so many bytes.
  mutating func truncate(to count: Int) {
    if count < output.count { output.removeSubrange(count...) }
  }

  /// Writes preformatted lines, each behind the marks of its containers.
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

  /// Writes the gap and the marks that were held back.
  mutating func flush() {
    if gap == .none { endAddress() }
    if output.isEmpty {
      writeMarks()
    } else if gap > .none {
      writeGap()
    }
    gap = .none
    ruleDepth = nil
    guard !opening.isEmpty else { return }
    for mark in opening { start(mark) }
    active.append(contentsOf: opening)
    // A mark of emphasis may yet be left out; what follows it then begins the line.
    if opening.contains(.link) { isLineStart = false }
    opening.removeAll(keepingCapacity: true)
  }

  /// Puts a bare address between `<` and `>` when more is to follow right behind it.
  private mutating func endAddress() {
    guard let address else { return }
    self.address = nil
    guard endsInMarks(after: address.upperBound) else { return }
    output.insert(UInt8(ascii: ">"), at: address.upperBound)
    output.insert(UInt8(ascii: "<"), at: address.lowerBound)
  }

  private mutating func writeGap() {
    switch gap {
    case .none: return
    case .space: output.append(0x20)
    case .hardBreak:
      // A backslash would be taken for a part of an address, and would make a mark of a lone star.
      let isBare = endsInAddress || "*_".utf8.contains(lastVisible)
      output.append(contentsOf: isBare ? "  ".utf8 : "\\".utf8)
      newLine(blank: false)
    case .line, .tight, .blank:
      // No mark reaches over the end of a block: emphasis begins anew, a link has ended.
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
      // Nothing begins a block in a heading.
      if container.first.first == UInt8(ascii: "#") { isLineStart = false }
    }
  }
}
