import Core

extension Reader {
  /// Reads a document in plain text, JSON or XML.
  ///
  /// A text with one address on each line is read as a sitemap.
  static func text(_ text: [UInt8], _ options: ReadOptions) -> PageFacts {
    let (lines, removed, charset) = cleaned(text, options)
    var page = PageFacts()
    page.setText(lines, markdown: lines, boundaries: [], options: options)
    page.hidden = 0
    page.removed = removed
    page.charset = charset
    page.links = []
    if let sitemap = Feed(lines: lines) {
      page.pageType = PageType.sitemap.rawValue
      page.links = FeedListing(sitemap, resolver: LinkResolver(base: options.baseURL)).links
    }
    page.explainEmptiness()
    return page
  }

  /// Reads a Markdown document, and renders it as Markdown and as plain text.
  ///
  /// Comments are removed from both, because they are not visible.
  static func markdown(
    _ markdown: [UInt8], _ options: ReadOptions, _ deadline: Deadline
  ) throws(Failure) -> PageFacts {
    let (lines, removed, charset) = cleaned(markdown, options)
    var plain = PlainMarkdown(LinkResolver(base: options.baseURL), deadline)
    plain.read(lines)
    try deadline.check()
    var page = PageFacts()
    page.title = plain.title
    page.setText(
      plain.text, markdown: plain.markdown, boundaries: plain.boundaries, options: options)
    page.links = plain.links
    page.hidden = plain.hidden
    page.removed = removed
    page.charset = charset
    page.explainEmptiness()
    return page
  }

  /// Returns the given bytes as UTF-8 text without invisible characters.
  ///
  /// Line ends are line feeds.
  private static func cleaned(
    _ bytes: [UInt8], _ options: ReadOptions
  ) -> (lines: [UInt8], removed: Int, charset: String) {
    let decoded = decodeText(bytes, contentType: options.contentType, isHTML: false)
    var cleaned: [UInt8] = []
    cleaned.reserveCapacity(decoded.bytes.count)
    let removed = decoded.bytes.withUnsafeBufferPointer { appendCleaned($0, to: &cleaned) }
    guard cleaned.contains(where: { $0 == 0x0D || $0 == 0x0C }) else {
      return (cleaned, removed, decoded.charset)
    }
    var lines: [UInt8] = []
    lines.reserveCapacity(cleaned.count)
    for (index, byte) in cleaned.enumerated() {
      guard byte == 0x0D else {
        // A form feed ends a page, and therefore a line.
        lines.append(byte == 0x0C ? 0x0A : byte)
        continue
      }
      let isPair = index + 1 < cleaned.count && cleaned[index + 1] == 0x0A
      if !isPair { lines.append(0x0A) }
    }
    return (lines, removed, decoded.charset)
  }
}
