/// Writes Markdown line by line: containers (quotes and list items) put their marks before each
/// line, spaces and gaps are held back until something follows them.
struct MarkdownWriter {
  /// What stands between what was written and what comes next.
  enum Gap: Int, Comparable {
    case none, space, line, hardBreak, tight, blank

    static func < (left: Gap, right: Gap) -> Bool { left.rawValue < right.rawValue }
  }

  /// A quote or a list item.
  private struct Container {
    /// Before its first line, such as `- `.
    var first: [UInt8]
    /// Before its other lines.
    var rest: [UInt8]
    var isBegun = false
  }

  private(set) var output: [UInt8] = []
  private var containers: [Container] = []
  private var gap = Gap.none
  /// Marks that are written together with the next word, such as `**` or `[`.
  private var opening: [[UInt8]] = []
  /// Whether the next word begins a line.
  private(set) var isLineStart = true
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

  /// Ends a list item: the next one follows on the next line, whatever this one held.
  mutating func endItem() {
    endContainer()
    gap = output.isEmpty ? .none : .tight
  }

  /// Begins a row of a table, which is a line of its own even where all else stays on one.
  mutating func beginRow() {
    gap = max(gap == .space ? .none : gap, .line)
  }

  /// Begins a container; nothing is written until it holds something.
  mutating func begin(first: [UInt8], rest: [UInt8]) {
    containers.append(Container(first: first, rest: rest))
  }

  /// Ends the innermost container.
  mutating func endContainer() {
    if !containers.isEmpty { containers.removeLast() }
  }

  /// Holds a mark back until a word follows; see ``close(_:)``.
  mutating func open(_ mark: [UInt8]) { opening.append(mark) }

  /// Ends what ``open(_:)`` began: with a mark where something was written, else with nothing.
  mutating func close(_ mark: [UInt8]) {
    if opening.isEmpty {
      output.append(contentsOf: mark)
    } else {
      opening.removeLast()
    }
  }

  /// Writes a word, or any text without line breaks, after what was held back.
  mutating func put(_ text: some Collection<UInt8>) {
    flush()
    output.append(contentsOf: text)
    isLineStart = false
  }

  /// Writes preformatted lines, each behind the marks of its containers.
  mutating func put(lines: some Collection<UInt8>) {
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
    defer {
      gap = .none
      for mark in opening { write(mark: mark) }
      if !opening.isEmpty { isLineStart = false }
      opening.removeAll(keepingCapacity: true)
    }
    if output.isEmpty {
      writeMarks()
      return
    }
    switch gap {
    case .none: return
    case .space:
      output.append(0x20)
    case .line, .tight: newLine(blank: false)
    case .hardBreak:
      output.append(UInt8(ascii: "\\"))
      newLine(blank: false)
    case .blank:
      output.append(0x0A)
      let begun = containers.prefix { $0.isBegun }
      var marks = begun.flatMap(\.rest)
      while marks.last == 0x20 { marks.removeLast() }
      output.append(contentsOf: marks)
      newLine(blank: false)
    }
  }

  private mutating func write(mark: [UInt8]) {
    // `!` before a link would make an image of it.
    if mark == [UInt8(ascii: "[")], output.last == UInt8(ascii: "!") {
      output.insert(UInt8(ascii: "\\"), at: output.count - 1)
    }
    output.append(contentsOf: mark)
  }

  private mutating func newLine(blank: Bool) {
    output.append(0x0A)
    writeMarks()
    if blank { while output.last == 0x20 { output.removeLast() } }
  }

  private mutating func writeMarks() {
    for index in containers.indices {
      let container = containers[index]
      output.append(contentsOf: container.isBegun ? container.rest : container.first)
      containers[index].isBegun = true
    }
    isLineStart = true
  }
}
