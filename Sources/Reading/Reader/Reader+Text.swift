public import Core

extension Reader {
  /// Reads a document that is text already: plain text, JSON or XML, kept as it is but for its
  /// encoding, its line ends and invisible characters.
  ///
  /// A text of nothing but addresses, one a line, is a sitemap.
  ///
  /// - Parameters:
  ///   - text: The decoded body of a response, or a file.
  ///   - options: The limits, and what is known about the document.
  /// - Returns: The text, in both fields.
  /// - Throws: Nothing yet; the signature is that of ``read(html:options:)``.
  public static func read(text: [UInt8], options: ReadOptions) throws(Failure) -> ReadPage {
    let (lines, removed, charset) = cleaned(text, options)
    var page = ReadPage()
    page.setText(lines, markdown: lines, [], options)
    page.removed = removed
    page.charset = charset
    if let sitemap = Feed(lines: lines) {
      page.pageType = .sitemap
      page.links = sitemap.page(LinkResolver(base: options.baseURL)) { $0 }.links
    }
    page.emptyReason = page.totalCharacters == 0 ? .noText : nil
    return page
  }

  /// Reads a document in Markdown: it is the Markdown, and the text is the same without marks.
  ///
  /// Comments, which no reader sees, are left out of both.
  ///
  /// - Parameters:
  ///   - markdown: The decoded body of a response, or a file.
  ///   - options: The limits, and what is known about the document.
  /// - Returns: The document, its title, and its links.
  /// - Throws: ``Failure`` with `timeout` and kind `tooSlow` when the deadline passed.
  public static func read(markdown: [UInt8], options: ReadOptions) throws(Failure) -> ReadPage {
    try read(markdown: markdown, options: options, Deadline(seconds: options.deadlineSeconds))
  }

  /// Reads a document in Markdown within what is left of a deadline.
  package static func read(
    markdown: [UInt8], options: ReadOptions, _ deadline: Deadline
  ) throws(Failure) -> ReadPage {
    let (lines, removed, charset) = cleaned(markdown, options)
    var plain = PlainMarkdown(LinkResolver(base: options.baseURL), deadline)
    plain.read(lines)
    try deadline.check()
    var page = ReadPage()
    page.title = plain.title
    page.setText(plain.text, markdown: plain.markdown, plain.boundaries, options)
    page.links = plain.links
    page.hidden = plain.hidden
    page.removed = removed
    page.charset = charset
    page.emptyReason = page.totalCharacters == 0 ? .noText : nil
    return page
  }

  /// Reads a feed or a sitemap, in XML or JSON, as a page that lists its entries.
  ///
  /// - Parameters:
  ///   - bytes: The decoded body of a response, or a file.
  ///   - options: The limits, and what is known about the document.
  /// - Returns: The page, its `links` the entries; of what is no feed, the text as it is.
  /// - Throws: As ``read(html:options:)``.
  public static func read(feed bytes: [UInt8], options: ReadOptions) throws(Failure) -> ReadPage {
    try read(feed: bytes, options: options, Deadline(seconds: options.deadlineSeconds))
  }

  /// Reads a feed or a sitemap within what is left of a deadline.
  package static func read(
    feed bytes: [UInt8], options: ReadOptions, _ deadline: Deadline
  ) throws(Failure) -> ReadPage {
    deadline.spend(bytes.count)
    let decoded = decodeText(bytes, contentType: options.contentType, isHTML: false)
    guard let feed = Feed(decoded.bytes) else { return try read(text: bytes, options: options) }
    let (html, links) = feed.page(LinkResolver(base: options.baseURL)) { html in
      plainText(html, deadline)
    }
    try deadline.check()
    var wanted = options
    wanted.isWhole = true
    wanted.selector = nil
    wanted.contentType = "text/html; charset=utf-8"
    var page = try read(html: html, options: wanted, deadline)
    page.pageType = feed.isSitemap ? .sitemap : .feed
    page.links = links
    page.title = String(decoding: plainText(feed.title, deadline), as: UTF8.self)
    if page.title?.isEmpty ?? false { page.title = nil }
    page.language = feed.language.isEmpty ? nil : String(decoding: feed.language, as: UTF8.self)
    page.modifiedAt = feed.updated.isEmpty ? nil : String(decoding: feed.updated, as: UTF8.self)
    page.charset = decoded.charset
    return page
  }

  /// The first words of HTML as text, on one line; of nothing but text, the text.
  private static func plainText(_ html: [UInt8], _ deadline: Deadline) -> [UInt8] {
    guard html.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      return shortened(html)
    }
    var options = ReadOptions()
    options.isWhole = true
    options.format = .text
    options.maximumCharacters = 2 * summaryLength
    options.contentType = "text/html; charset=utf-8"
    guard let page = try? read(html: html, options: options, deadline) else { return [] }
    return shortened(Array(page.text.utf8))
  }

  private static let summaryLength = 500

  private static func shortened(_ text: [UInt8]) -> [UInt8] {
    var words: [UInt8] = []
    text[...].forEachWord { word in
      guard let word else { return }
      if !words.isEmpty { words.append(0x20) }
      words += word
    }
    let cut = TextCut(words, offset: 0, limit: summaryLength)
    return words[cut.range] + (cut.isCut ? Array("…".utf8) : [])
  }

  /// Text in UTF-8 with line feeds for line ends, without invisible characters.
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
        // A form feed ends a page, and so a line.
        lines.append(byte == 0x0C ? 0x0A : byte)
        continue
      }
      let isPair = index + 1 < cleaned.count && cleaned[index + 1] == 0x0A
      if !isPair { lines.append(0x0A) }
    }
    return (lines, removed, decoded.charset)
  }
}
