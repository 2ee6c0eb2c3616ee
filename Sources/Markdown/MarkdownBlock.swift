/// A block of a Markdown document.
///
/// ``MarkdownInline`` reads the text in a block.
package indirect enum MarkdownBlock: Equatable, Sendable {
  /// A heading with its level, 1 to 6, and its text.
  case heading(level: Int, ArraySlice<UInt8>)
  /// A paragraph. Its text has a line feed only where the author made a hard line break.
  case paragraph(ArraySlice<UInt8>)
  /// A code block, as its lines.
  case code([ArraySlice<UInt8>])
  /// A quote, as the blocks in it.
  case quote([MarkdownBlock])
  /// A list, as its items.
  case list([Item])
  /// A table, as the cells of each row. The first row is the header.
  case table([[ArraySlice<UInt8>]])
  /// A thematic break, which is drawn as a line.
  case rule

  /// An item of a list.
  package struct Item: Equatable, Sendable {
    /// The item's bullet or number, as the author wrote it.
    package var mark: String
    /// The blocks in the item.
    package var blocks: [MarkdownBlock]
  }

  /// The maximum nesting of quotes and lists.
  ///
  /// Deeper ones are treated as text.
  private static let greatestDepth = 12

  /// Returns the blocks that the given lines form.
  package static func blocks(
    _ lines: [ArraySlice<UInt8>], depth: Int = 0
  ) -> [MarkdownBlock] {
    placed(lines, depth: depth).map(\.block)
  }

  /// Returns the number of leading lines whose blocks cannot change if lines are added.
  ///
  /// It is 0 if all blocks may change.
  package static func settledLines(_ lines: [ArraySlice<UInt8>]) -> Int {
    placed(lines).last { index, _ in
      index > 0 && MarkdownLine(lines[index - 1]).isBlank && isOwn(lines[index])
    }?.start ?? 0
  }

  /// Returns `true` if the given line, after a blank line, cannot belong to a preceding list.
  ///
  /// This must remain so if more text is added to the line.
  private static func isOwn(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first, !first.isSpace, first != UInt8(ascii: "<") else { return false }
    return MarkdownLine(line).item == nil && !line.allSatisfy(\.isDigit)
  }

  /// Returns the blocks that the given lines form, each with the index of its first line.
  private static func placed(
    _ lines: [ArraySlice<UInt8>], depth: Int = 0
  ) -> [(start: Int, block: MarkdownBlock)] {
    var placed: [(start: Int, block: MarkdownBlock)] = []
    var rest = lines[...]
    while let first = rest.first {
      let start = rest.startIndex
      let line = MarkdownLine(first)
      if line.isBlank {
        rest.removeFirst()
      } else if line.indent < 4, let fence = line.fence {
        placed.append((start, code(&rest, fence, indent: line.indent)))
      } else if let (level, text) = line.heading {
        placed.append((start, .heading(level: level, text)))
        rest.removeFirst()
      } else if line.isRule {
        placed.append((start, .rule))
        rest.removeFirst()
      } else if line.unquoted != nil, depth < greatestDepth {
        var quoted: [ArraySlice<UInt8>] = []
        while let next = rest.first, let text = MarkdownLine(next).unquoted {
          quoted.append(text)
          rest.removeFirst()
        }
        placed.append((start, .quote(blocks(quoted, depth: depth + 1))))
      } else if line.item != nil, depth < greatestDepth {
        placed.append((start, list(&rest, depth)))
      } else if let rows = table(&rest) {
        placed.append((start, .table(rows)))
      } else {
        placed.append((start, paragraph(&rest)))
      }
    }
    return placed
  }

  private static func code(
    _ rest: inout ArraySlice<ArraySlice<UInt8>>, _ fence: MarkdownLine.Fence, indent: Int
  ) -> MarkdownBlock {
    rest.removeFirst()
    var lines: [ArraySlice<UInt8>] = []
    while let line = rest.popFirst(), !MarkdownLine(line).closes(fence) {
      lines.append(MarkdownLine.dropping(indent, from: line))
    }
    return .code(lines)
  }

  private static func list(
    _ rest: inout ArraySlice<ArraySlice<UInt8>>, _ depth: Int
  ) -> MarkdownBlock {
    var items: [Item] = []
    while let first = rest.first, let item = MarkdownLine(first).item {
      rest.removeFirst()
      var lines = [item.text]
      while let next = rest.first {
        let line = MarkdownLine(next)
        let belongs =
          line.indent >= item.width
          || (!line.isBlank && !beginsBlock(line) && !MarkdownLine(lines[lines.count - 1]).isBlank)
        guard line.isBlank || belongs else { break }
        // A blank line belongs to an item if more of the item follows.
        if line.isBlank {
          guard let after = rest.dropFirst().first.map({ MarkdownLine($0) }), !after.isBlank,
            after.indent >= item.width
          else { break }
        }
        rest.removeFirst()
        lines.append(MarkdownLine.dropping(item.width, from: next))
      }
      let mark = item.mark.count > 1 ? String(decoding: item.mark, as: UTF8.self) : "•"
      items.append(Item(mark: mark, blocks: blocks(lines, depth: depth + 1)))
      // A blank line may separate two items.
      if let next = rest.first, MarkdownLine(next).isBlank,
        let after = rest.dropFirst().first, MarkdownLine(after).item != nil
      {
        rest.removeFirst()
      }
    }
    return .list(items)
  }

  private static func beginsBlock(_ line: MarkdownLine) -> Bool {
    (line.indent < 4 && line.fence != nil) || line.heading != nil || line.isRule
      || line.unquoted != nil || line.item != nil
  }

  private static func paragraph(_ rest: inout ArraySlice<ArraySlice<UInt8>>) -> MarkdownBlock {
    var text: [UInt8] = []
    while let next = rest.first {
      let line = MarkdownLine(next)
      if line.isBlank { break }
      if !text.isEmpty, line.indent < 4, let level = line.underlinedLevel {
        rest.removeFirst()
        return .heading(level: level, text[...].trimmed)
      }
      if !text.isEmpty, beginsBlock(line) { break }
      rest.removeFirst()
      if !text.isEmpty { text.append(0x20) }
      // Two spaces or a backslash at the end of a line make a hard line break.
      let isEscaped = line.body.last == UInt8(ascii: "\\")
      text += isEscaped ? line.body.dropLast() : line.body
      if isEscaped || next.suffix(2) == [0x20, 0x20] { text.append(0x0A) }
    }
    return .paragraph(text[...].trimmed)
  }

  private static func table(
    _ rest: inout ArraySlice<ArraySlice<UInt8>>
  ) -> [[ArraySlice<UInt8>]]? {
    let bar = UInt8(ascii: "|")
    guard let head = rest.first, head.contains(bar), let rule = rest.dropFirst().first,
      MarkdownLine(rule).isTableRule
    else { return nil }
    let rows = rest.dropFirst(2).prefix { $0.contains(bar) }
    rest = rest.dropFirst(2 + rows.count)
    return ([head] + rows).map { MarkdownLine($0).cells }
  }
}
