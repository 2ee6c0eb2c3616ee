import Core
import Markdown

extension StyledText {
  /// Returns the given Markdown as pieces of styled text.
  ///
  /// - Parameters:
  ///   - markdown: A line, or the lines of one paragraph.
  ///   - base: The look of unmarked text.
  /// - Returns: The pieces, in order.
  static func pieces(_ markdown: ArraySlice<UInt8>, base: Look = .plain) -> [StyledText] {
    var pieces: [StyledText] = []
    var looks = [base]
    // The addresses of the open links; the outermost address is used.
    var links: [String] = []
    var hasWords = false
    func add(_ text: String, _ look: Look) {
      let look = links.isEmpty ? look : .accent
      hasWords = hasWords || !text.isEmpty
      if let last = pieces.last, last.look == look, last.address == links.first {
        pieces[pieces.count - 1].text += text
      } else {
        pieces.append(StyledText(text, look, address: links.first))
      }
    }
    for piece in MarkdownInline(markdown, [.pairs, .images]).pieces {
      switch piece {
      case .text(let text): add(String(decoding: text, as: UTF8.self), looks.last ?? base)
      case .reference(let text, _):
        // A character reference to white space is drawn as a space, and never ends a line.
        let isSpace = text.count == 1 && [0x09, 0x0A, 0x0D].contains(text[0])
        let shown = isSpace ? " " : Visible.text(String(decoding: text, as: UTF8.self))
        add(shown, looks.last ?? base)
      case .code(let text, _): add(String(decoding: text, as: UTF8.self), .accent)
      case .emphasis(let kind):
        looks.append(kind == .struck ? .faint : kind == .strong ? .strong : .emphasis)
      case .endOfEmphasis: looks.removeLast()
      case .link(let address):
        hasWords = false
        links.append(Visible.text(String(decoding: address, as: UTF8.self)))
      case .endOfLink:
        // A link without text shows its address.
        if !hasWords { add(links.last ?? "", .accent) }
        links.removeLast()
      }
    }
    return pieces
  }
}
