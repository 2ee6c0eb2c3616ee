import Display
import Markdown

/// Markdown as elements (CommonMark 0.31, with GitHub's tables).
///
/// HTML in the Markdown is shown as the author wrote it.
extension HTML {
  /// Returns the given untrusted document.
  static func markdown(_ text: String) -> HTML {
    let lines = MarkdownText.lines(of: text)
    return HTML(.div, [.class("document")], parts: blocks(MarkdownBlock.blocks(lines)))
  }

  private static func blocks(_ blocks: [MarkdownBlock]) -> [HTML] { blocks.map(block) }

  private static func block(_ block: MarkdownBlock) -> HTML {
    switch block {
    case .heading(let level, let text):
      // The page's own headings are above those of a document.
      let tags: [HTMLTag] = [.h3, .h4, .h5, .h6]
      return HTML(tags[min(level, tags.count) - 1], parts: inline(text))
    case .paragraph(let text): return HTML(.p, parts: inline(text))
    case .code(let lines):
      let text = lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
      return HTML(.pre, [], HTML(.code, [], HTML(text: text)))
    case .quote(let inner): return HTML(.blockquote, parts: blocks(inner))
    case .list(let items):
      let isNumbered = items.first?.mark.first?.isNumber ?? false
      return HTML(isNumbered ? .ol : .ul, parts: items.map { HTML(.li, parts: blocks($0.blocks)) })
    case .table(let rows):
      let cells = { (tag: HTMLTag, row: [ArraySlice<UInt8>]) in
        HTML(.tr, parts: row.map { HTML(tag, parts: inline($0)) })
      }
      return HTML(
        .div, [.class("table")],
        HTML(
          .table, [], HTML(.thead, parts: rows.prefix(1).map { cells(.th, $0) }),
          HTML(.tbody, parts: rows.dropFirst().map { cells(.td, $0) })))
    case .rule: return HTML(.hr)
    }
  }

  /// An element whose end the text has not reached.
  private struct Open {
    /// The tag; nil if only the parts are shown, as in a link that leads nowhere.
    var tag: HTMLTag?
    var attributes: [HTMLAttribute] = []
    var parts: [HTML] = []

    var closed: HTML { tag.map { HTML($0, attributes, parts: parts) } ?? HTML(parts) }
  }

  private static func inline(_ text: ArraySlice<UInt8>) -> [HTML] {
    var open = [Open()]
    func add(_ part: HTML) { open[open.count - 1].parts.append(part) }
    func close() {
      guard open.count > 1, let last = open.popLast() else { return }
      add(last.closed)
    }
    for piece in MarkdownInline(text, [.pairs, .images]).pieces {
      switch piece {
      case .text(let text): add(HTML(text: String(decoding: text, as: UTF8.self)))
      case .reference(let text, _): add(HTML(text: String(decoding: text, as: UTF8.self)))
      case .code(let text, _):
        add(HTML(.code, [], HTML(text: String(decoding: text, as: UTF8.self))))
      case .emphasis(let kind):
        open.append(Open(tag: kind == .struck ? .del : kind == .strong ? .strong : .em))
      case .link(let address):
        // Links do not stand in links.
        let isInner = open.contains { $0.tag == .a }
        let target = HTMLAddress(web: String(decoding: address, as: UTF8.self))
        guard !isInner, let target else {
          open.append(Open(tag: nil))
          continue
        }
        open.append(
          Open(
            tag: .a,
            attributes: [
              HTMLAttribute(.href, target), HTMLAttribute(.rel, "noreferrer noopener"),
            ]))
      case .endOfEmphasis, .endOfLink: close()
      }
    }
    while open.count > 1 { close() }
    return open[0].parts
  }
}
