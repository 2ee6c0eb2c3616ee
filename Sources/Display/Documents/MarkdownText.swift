import Core

/// Markdown as a person reads it on a terminal: wrapped at its width, headings, lists, quotes, code
/// and tables set apart (CommonMark 0.31, with GitHub's tables).
///
/// The input is made visible first: whatever it says, nothing of it is obeyed.
public struct MarkdownText: Sendable {
  /// Prose is not wrapped wider: longer lines are hard to read.
  static let widestProse = 100
  /// What stands in a list or a quote is set in no further than leaves it so many cells.
  static let narrowest = 8

  private let width: Int
  private let palette: Palette

  /// For a terminal of a width.
  public init(width: Int, palette: Palette) {
    self.width = max(1, width)
    self.palette = palette
  }

  /// The document, each line with its end.
  public func text(_ markdown: String) -> String {
    blocks(MarkdownBlock.blocks(MarkdownBlock.source(markdown)), width: width)
      .map { $0 + "\n" }.joined()
  }

  /// Blocks one below the other, an empty line between two.
  private func blocks(_ blocks: [MarkdownBlock], width: Int) -> [String] {
    blocks.map { lines($0, width: width) }.filter { !$0.isEmpty }.joined(separator: [""])
      .map { $0 }
  }

  private func lines(_ block: MarkdownBlock, width: Int) -> [String] {
    let prose = min(width, Self.widestProse)
    switch block {
    case .heading(let level, let text):
      return drawn(
        MarkdownInline.pieces(text, base: level <= 2 ? .heading : .strong), width: prose)
    case .paragraph(let text): return drawn(MarkdownInline.pieces(text), width: prose)
    case .code(let lines):
      return lines.map { line in
        palette.painted(Cells.cut("  " + line.replacing("\t", with: "    "), to: width), .accent)
      }
    case .quote(let inner):
      guard prose - 2 >= Self.narrowest else { return self.blocks(inner, width: prose) }
      return self.blocks(inner, width: prose - 2).map {
        palette.painted("│", .faint) + ($0.isEmpty ? "" : " " + $0)
      }
    case .list(let items): return list(items, width: prose)
    case .table(let rows): return table(rows, width: width)
    case .rule: return [palette.painted(String(repeating: "─", count: prose), .faint)]
    }
  }

  private func drawn(_ pieces: [StyledText], width: Int) -> [String] {
    StyledLines.wrapped(pieces, to: width).map { $0.map { $0.drawn(palette) }.joined() }
  }

  private func list(_ items: [MarkdownBlock.Item], width: Int) -> [String] {
    let room = items.map { Cells.width($0.mark) }.max() ?? 1
    guard width - room - 1 >= Self.narrowest else {
      return items.flatMap { [Cells.cut($0.mark, to: width)] + blocks($0.blocks, width: width) }
    }
    return items.flatMap { item -> [String] in
      let inner = item.blocks.map { lines($0, width: width - room - 1) }
      // What a list holds beside its text stands close to it.
      let all = inner.flatMap(\.self)
      return (all.isEmpty ? [""] : all).enumerated().map { index, line in
        let mark = index == 0 ? Cells.padded(item.mark, to: room, onLeft: true) : ""
        return Cells.padded(mark, to: room) + (line.isEmpty ? "" : " " + line)
      }
    }
  }

  private func table(_ rows: [[String]], width: Int) -> [String] {
    // A table with more columns than a terminal has cells is none that could be read.
    guard let whole = rows.first else { return [] }
    let head = Array(whole.prefix(max(1, width / 2)))
    let columns = head.indices.map { index in
      TableColumn(
        plain(head[index]), importance: head.count - index, leastWidth: 6)
    }
    let cells = rows.dropFirst().map { row in
      head.indices.map { TableCell(row.indices.contains($0) ? plain(row[$0]) : "") }
    }
    guard !cells.isEmpty else {
      return [Cells.cut(head.map(plain).joined(separator: "  "), to: width)]
    }
    let table = Table(columns, Array(cells))
    let layout = TableLayout(table, width: width, hasHeadings: true)
    let heading = layout.line(columns.map { TableCell($0.heading, .heading) }, palette)
    return [heading] + cells.map { layout.line($0, palette) }
  }

  private func plain(_ text: String) -> String {
    MarkdownInline.pieces(text).map(\.text).joined()
  }
}
