public import Core

/// Turns documents into text and Markdown.
///
///     let page = try Reader.read(html: bytes, options: ReadOptions(baseURL: "https://a.example/"))
///     print(page.title ?? "", page.markdown)
public enum Reader {
  /// Reads an HTML document, whatever its state and encoding.
  ///
  /// Parsing rests on libxml2's `htmlCtxtReadMemory`, in its SAX mode. Time is linear in the size
  /// of the document.
  ///
  /// - Parameters:
  ///   - html: The decoded body of a response, or a file.
  ///   - options: The limits, and what is known about the document.
  /// - Returns: The content of the page and what the page says about itself.
  /// - Throws: ``Failure`` with `timeout` and kind `tooSlow` when the deadline passed, and with
  ///   `badInput` and kind `tooLarge` for more than 2 GB.
  public static func read(html: [UInt8], options: ReadOptions) throws(Failure) -> ReadPage {
    let deadline = Deadline(seconds: options.deadlineSeconds)
    let limits = ReadLimits()
    let decoded = decodeText(html, contentType: options.contentType, isHTML: true)
    let document = try Document.parse(
      decoded.bytes, options, limits: limits, deadline: deadline)
    let tree = document.tree
    let content = ContentSelection(document, options)
    let text = try TextRenderer.render(tree, content, deadline: deadline)
    var renderer = MarkdownRenderer(
      tree, content, resolver: document.resolver, limits: limits, deadline: deadline,
      keepsImages: options.keepsImages)
    try renderer.render(content.root)
    var page = ReadPage(document.metadata)
    page.setText(text, markdown: renderer.writer.finished(), options)
    page.truncated = page.truncated || document.isCut
    page.hidden = content.hidden
    page.removed = document.removed
    page.links = renderer.links
    page.emptyReason = page.totalCharacters == 0 ? .noText : nil
    page.charset = decoded.charset
    return page
  }

  /// Reads a document that is text already: plain text, JSON, XML or Markdown, kept as it is but
  /// for its encoding, its line ends and invisible characters.
  ///
  /// - Parameters:
  ///   - text: The decoded body of a response, or a file.
  ///   - options: The limits, and what is known about the document.
  /// - Returns: The text, in both fields.
  /// - Throws: Nothing yet; the signature is that of ``read(html:options:)``.
  public static func read(text: [UInt8], options: ReadOptions) throws(Failure) -> ReadPage {
    let decoded = decodeText(text, contentType: options.contentType, isHTML: false)
    var cleaned: [UInt8] = []
    cleaned.reserveCapacity(decoded.bytes.count)
    let removed = decoded.bytes.withUnsafeBufferPointer { appendCleaned($0, to: &cleaned) }
    var lines: [UInt8] = []
    lines.reserveCapacity(cleaned.count)
    for (index, byte) in cleaned.enumerated() {
      guard byte == 0x0D else {
        lines.append(byte)
        continue
      }
      let isPair = index + 1 < cleaned.count && cleaned[index + 1] == 0x0A
      if !isPair { lines.append(0x0A) }
    }
    var page = ReadPage()
    page.setText(lines, markdown: lines, options)
    page.removed = removed
    page.charset = decoded.charset
    return page
  }
}

extension ReadPage {
  fileprivate init(_ metadata: Metadata) {
    title = metadata.title
    author = metadata.author
    publishedAt = metadata.publishedAt
    modifiedAt = metadata.modifiedAt
    language = metadata.language
    siteName = metadata.siteName
    canonicalURL = metadata.canonicalURL
    description = metadata.description
  }

  fileprivate mutating func setText(
    _ bytes: [UInt8], markdown marked: [UInt8], _ options: ReadOptions
  ) {
    let cut = TextCut(bytes, limit: options.maximumCharacters)
    let cutMarkdown = TextCut(marked, limit: options.maximumCharacters)
    text = cut.text
    markdown = cutMarkdown.text
    characters = cut.characters
    totalCharacters = cut.total
    truncated = cut.isCut || cutMarkdown.isCut
  }
}
