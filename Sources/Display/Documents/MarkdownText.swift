import Core
import Markdown

/// A renderer of Markdown for a terminal.
///
/// It wraps text at the terminal's width. It draws headings, lists, quotes, code and tables
/// (CommonMark 0.31, with GitHub's tables). Control characters in the input have no effect, because
/// they are made visible first.
public struct MarkdownText: Sendable {
  /// The maximum number of cells of a line of prose.
  ///
  /// Longer lines are hard to read.
  static let widestProse = 100
  /// The minimum number of cells that a list or a quote leaves for text.
  ///
  /// If less would remain, deeper levels are not indented.
  static let narrowest = 8

  private let width: Int
  private let palette: Palette

  /// Creates a renderer for a terminal of the given width.
  public init(width: Int, palette: Palette) {
    self.width = max(1, width)
    self.palette = palette
  }

  /// Returns the given document as lines, each with its line end.
  public func text(_ markdown: String) -> String {
    blocks(MarkdownBlock.blocks(Self.lines(of: markdown)), width: width)
      .map { $0 + "\n" }.joined()
  }

  /// Returns the length of the leading blocks that text appended to the document cannot change.
  ///
  /// The length is in bytes of UTF-8. It is 0 if appended text could change every block.
  static func endOfSettled(_ markdown: String) -> Int {
    var breaks = MarkdownBlock.settledLines(lines(of: markdown))
    guard breaks > 0 else { return 0 }
    let end = markdown.utf8.firstIndex { byte in
      if byte == 0x0A { breaks -= 1 }
      return breaks == 0
    }
    return end.map { markdown.utf8.distance(from: markdown.utf8.startIndex, to: $0) + 1 } ?? 0
  }

  /// Returns the lines of the given document, with control characters made visible.
  ///
  /// Carriage returns are removed, and lines of spaces become empty.
  package static func lines(of markdown: String) -> [ArraySlice<UInt8>] {
    let text = Visible.text(markdown.replacing("\r\n", with: "\n"), keepingLines: true)
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.allSatisfy(\.isWhitespace) ? [] : Array($0.utf8)[...] }
  }

  /// Returns the lines of the given blocks, with an empty line between blocks.
  private func blocks(_ blocks: [MarkdownBlock], width: Int) -> [String] {
    blocks.map { lines($0, width: width) }.filter { !$0.isEmpty }.joined(separator: [""])
      .map { $0 }
  }

  private func lines(_ block: MarkdownBlock, width: Int) -> [String] {
    let prose = min(width, Self.widestProse)
    switch block {
    case .heading(let level, let text):
      return drawn(
        StyledText.pieces(text, base: level <= 2 ? .heading : .strong), width: prose)
    case .paragraph(let text): return drawn(StyledText.pieces(text), width: prose)
    case .code(let lines):
      return lines.flatMap {
        let line = String(decoding: $0, as: UTF8.self)
        return code(line.replacing("\t", with: "    "), width: width)
      }
    case .quote(let inner):
      guard prose - 2 >= Self.narrowest else { return self.blocks(inner, width: prose) }
      return self.blocks(inner, width: prose - 2).map {
        palette.painted("│", .faint) + ($0.isEmpty ? "" : " " + $0)
      }
    case .list(let items): return list(items, width: prose)
    case .table(let rows): return MarkdownTable(rows, palette: palette).lines(width: width)
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
      // Blocks that follow the text of a list item have no empty line before them.
      let all = inner.flatMap(\.self)
      return (all.isEmpty ? [""] : all).enumerated().map { index, line in
        let mark = index == 0 ? Cells.padded(item.mark, to: room, onLeft: true) : ""
        return Cells.padded(mark, to: room) + (line.isEmpty ? "" : " " + line)
      }
    }
  }

  /// Returns the given line of code.
  ///
  /// A line that is too wide is split into several, with a mark.
  private func code(_ line: String, width: Int) -> [String] {
    if line.allSatisfy({ $0 == " " }) { return [""] }
    let (indent, mark) = width >= Self.narrowest ? ("  ", "↳ ") : ("", "")
    let room = width - indent.count
    let parts = Cells.broken(line, to: room - mark.count, first: room)
    return parts.enumerated().map { place, part in
      indent + (place == 0 ? "" : palette.painted(mark, .faint)) + palette.painted(part, .accent)
    }
  }
}
