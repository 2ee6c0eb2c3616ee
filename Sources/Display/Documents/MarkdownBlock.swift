/// A block of a Markdown document.
indirect enum MarkdownBlock: Equatable {
  case heading(level: Int, String)
  case paragraph(String)
  case code([String])
  case quote([MarkdownBlock])
  case list([Item])
  case table([[String]])
  case rule

  /// An item of a list.
  struct Item: Equatable {
    /// What stands before it.
    var mark: String
    /// What it holds.
    var blocks: [MarkdownBlock]
  }

  /// Quotes and lists within each other are followed no deeper; what is deeper is text.
  private static let greatestDepth = 12

  /// The blocks of lines.
  static func blocks(_ lines: [String], depth: Int = 0) -> [MarkdownBlock] {
    placed(lines, depth: depth).map(\.block)
  }

  /// The blocks of lines, each with the number of its first line.
  static func placed(
    _ lines: [String], depth: Int = 0
  ) -> [(start: Int, block: MarkdownBlock)] {
    var placed: [(start: Int, block: MarkdownBlock)] = []
    var rest = lines[...]
    while let line = rest.first {
      let start = rest.startIndex
      if line.allSatisfy(\.isWhitespace) {
        rest.removeFirst()
      } else if let fence = fence(line) {
        placed.append((start, code(&rest, fence)))
      } else if let heading = heading(line) {
        placed.append((start, heading))
        rest.removeFirst()
      } else if isRule(line) {
        placed.append((start, .rule))
        rest.removeFirst()
      } else if isQuote(line), depth < greatestDepth {
        let quoted = rest.prefix(while: isQuote)
        rest = rest.dropFirst(quoted.count)
        placed.append((start, .quote(blocks(quoted.map(unquoted), depth: depth + 1))))
      } else if MarkdownMark(line) != nil, depth < greatestDepth {
        placed.append((start, list(&rest, depth)))
      } else if let rows = table(&rest) {
        placed.append((start, .table(rows)))
      } else {
        placed.append((start, paragraph(&rest)))
      }
    }
    return placed
  }

  private static func trimmed(_ line: some StringProtocol) -> String {
    String(line.drop { $0 == " " || $0 == "\t" })
  }

  private static func indent(_ line: String) -> Int {
    line.prefix { $0 == " " || $0 == "\t" }.reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
  }

  private static func fence(_ line: String) -> String? {
    let text = trimmed(line)
    guard indent(line) < 4, let first = text.first, "`~".contains(first) else { return nil }
    let marks = text.prefix { $0 == first }
    return marks.count >= 3 ? String(marks) : nil
  }

  private static func code(_ rest: inout ArraySlice<String>, _ fence: String) -> MarkdownBlock {
    let indent = indent(rest.removeFirst())
    var lines: [String] = []
    while let line = rest.popFirst() {
      let text = trimmed(line)
      if text.hasPrefix(fence), text.allSatisfy({ $0 == fence.first || $0 == " " }) { break }
      let spaces = line.prefix(indent).prefix { $0 == " " }
      lines.append(String(line.dropFirst(spaces.count)))
    }
    return .code(lines)
  }

  private static func heading(_ line: String) -> MarkdownBlock? {
    let text = trimmed(line)
    let level = text.prefix { $0 == "#" }.count
    let after = text.dropFirst(level)
    guard (1...6).contains(level), after.isEmpty || after.first == " " else { return nil }
    var words = after.drop { $0 == " " }
    while words.last == "#" || words.last == " " { words.removeLast() }
    return .heading(level: level, String(words))
  }

  /// The level of the heading that stands above a line of `=` or `-`; nil for another line.
  private static func underlined(_ line: String) -> Int? {
    var text = Substring(trimmed(line))
    while text.last == " " || text.last == "\t" { text.removeLast() }
    guard indent(line) < 4, let first = text.first, text.allSatisfy({ $0 == first }) else {
      return nil
    }
    return first == "=" ? 1 : first == "-" ? 2 : nil
  }

  private static func isRule(_ line: String) -> Bool {
    let marks = line.filter { $0 != " " && $0 != "\t" }
    return marks.count >= 3 && ["*", "-", "_"].contains(marks.first)
      && marks.allSatisfy { $0 == marks.first }
  }

  private static func isQuote(_ line: String) -> Bool { trimmed(line).first == ">" }

  private static func unquoted(_ line: String) -> String {
    let text = trimmed(line).dropFirst()
    return String(text.first == " " ? text.dropFirst() : text)
  }

  private static func list(_ rest: inout ArraySlice<String>, _ depth: Int) -> MarkdownBlock {
    var items: [Item] = []
    while let line = rest.first, let mark = MarkdownMark(line) {
      rest.removeFirst()
      var lines = [mark.text]
      while let next = rest.first {
        let isEmpty = next.allSatisfy(\.isWhitespace)
        let belongs =
          indent(next) >= mark.width || (!isEmpty && !beginsBlock(next) && !lines.last.isBlank)
        guard isEmpty || belongs else { break }
        // An empty line belongs to the item when something of it follows.
        if isEmpty {
          guard let after = rest.dropFirst().first, indent(after) >= mark.width,
            !after.allSatisfy(\.isWhitespace)
          else { break }
        }
        rest.removeFirst()
        let spaces = next.prefix(mark.width).prefix { $0 == " " }
        lines.append(String(next.dropFirst(spaces.count)))
      }
      items.append(Item(mark: mark.shown, blocks: blocks(lines, depth: depth + 1)))
      // Items may be apart by an empty line.
      if let next = rest.first, next.allSatisfy(\.isWhitespace),
        let after = rest.dropFirst().first, MarkdownMark(after) != nil
      {
        rest.removeFirst()
      }
    }
    return .list(items)
  }

  private static func beginsBlock(_ line: String) -> Bool {
    fence(line) != nil || heading(line) != nil || isRule(line) || isQuote(line)
      || MarkdownMark(line) != nil
  }

  private static func paragraph(_ rest: inout ArraySlice<String>) -> MarkdownBlock {
    var lines: [String] = []
    while let line = rest.first, !line.allSatisfy(\.isWhitespace) {
      if !lines.isEmpty, let level = underlined(line) {
        rest.removeFirst()
        return .heading(level: level, lines.joined(separator: " "))
      }
      if !lines.isEmpty, beginsBlock(line) { break }
      rest.removeFirst()
      let text = trimmed(line)
      // Two spaces or a backslash at its end end the line.
      lines.append(
        text.hasSuffix("  ") ? text + "\n" : text.hasSuffix("\\") ? text.dropLast() + "\n" : text)
    }
    return .paragraph(lines.joined(separator: " "))
  }

  private static func table(_ rest: inout ArraySlice<String>) -> [[String]]? {
    guard let head = rest.first, head.contains("|"), let rule = rest.dropFirst().first,
      rule.contains("-"), rule.contains("|"), rule.allSatisfy({ "|-: \t".contains($0) })
    else { return nil }
    let lines = rest.prefix { $0.contains("|") }
    rest = rest.dropFirst(lines.count)
    return lines.enumerated().filter { $0.offset != 1 }.map { cells($0.element) }
  }

  private static func cells(_ line: String) -> [String] {
    var cells: [String] = [""]
    var isEscaped = false
    for character in trimmed(line) {
      if character == "|", !isEscaped {
        cells.append("")
      } else {
        cells[cells.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    if cells.first?.allSatisfy(\.isWhitespace) ?? false { cells.removeFirst() }
    if cells.last?.allSatisfy(\.isWhitespace) ?? false { cells.removeLast() }
    return cells.map { cell in
      var text = Substring(cell).drop { $0 == " " }
      while text.last == " " { text.removeLast() }
      return String(text)
    }
  }
}

extension String? {
  fileprivate var isBlank: Bool { self?.allSatisfy(\.isWhitespace) ?? true }
}

/// What begins an item of a list.
struct MarkdownMark {
  /// What is drawn for it.
  var shown: String
  /// What follows on its line.
  var text: String
  /// How far in what belongs to the item stands.
  var width: Int

  /// The mark that a line begins with; nil for none.
  init?(_ line: String) {
    let spaces = line.prefix { $0 == " " }.count
    let body = line.dropFirst(spaces)
    let digits = body.prefix { $0.isASCII && $0.isNumber }
    let mark: Substring
    if digits.isEmpty {
      guard let first = body.first, "-*+".contains(first) else { return nil }
      mark = body.prefix(1)
      shown = "•"
    } else {
      guard digits.count <= 9, let end = body.dropFirst(digits.count).first, ".)".contains(end)
      else { return nil }
      mark = body.prefix(digits.count + 1)
      shown = String(mark)
    }
    let after = body.dropFirst(mark.count)
    guard after.isEmpty || after.first == " " || after.first == "\t" else { return nil }
    text = String(after.drop { $0 == " " || $0 == "\t" })
    width = spaces + mark.count + 1
  }
}
