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
    try read(html: html, options: options, Deadline(seconds: options.deadlineSeconds))
  }

  /// Reads an HTML document within what is left of a deadline.
  package static func read(
    html: [UInt8], options: ReadOptions, _ deadline: Deadline
  ) throws(Failure) -> ReadPage {
    let limits = ReadLimits()
    deadline.spend(html.count)
    let decoded = decodeText(html, contentType: options.contentType, isHTML: true)
    let document = try Document.parse(
      decoded.bytes, options, limits: limits, deadline: deadline)
    let tree = document.tree
    let content = ContentSelection(document, deadline)
    try deadline.check()
    var page = ReadPage(document.metadata)
    var text: (text: [UInt8], marks: [BlockMark]) = ([], [])
    if options.format != .markdown {
      text = try TextRenderer.render(tree, content, deadline: deadline)
    }
    var renderer = MarkdownRenderer(
      tree, content, resolver: document.resolver, limits: limits, deadline: deadline,
      keepsImages: options.keepsImages)
    try renderer.render(NodeTree.root)
    let (markdown, marks) = renderer.writer.finished(renderer.marks)
    let boundaries: [BlockBoundary] =
      switch options.format {
      case nil: .common(text.marks, marks)
      case .text: .single(text.marks)
      case .markdown: .single(marks)
      }
    page.setText(text.text, markdown: markdown, boundaries, options)
    page.truncated = page.truncated || document.isCut
    page.hidden = document.visibility.count
    page.removed = document.removed
    page.links = renderer.links
    page.pageType = PageType.of(document)
    page.emptyReason = page.totalCharacters == 0 ? content.emptyReason ?? .noText : nil
    page.charset = decoded.charset
    return page
  }

  /// Checks a selector before anything is read with it.
  ///
  /// - Parameter selector: A selector of CSS.
  /// - Throws: ``Failure`` with `badUsage` and kind `badSelector` that names the place.
  public static func check(selector: String) throws(Failure) {
    // The parsed selector is of no use here.
    _ = try SelectorParser.parse(selector)
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

  mutating func setText(
    _ plain: [UInt8], markdown marked: [UInt8], _ boundaries: [BlockBoundary],
    _ options: ReadOptions
  ) {
    let cut = PageCut(plain, marked, boundaries, options)
    text = String(decoding: plain[cut.text], as: UTF8.self)
    markdown = String(decoding: marked[cut.markdown], as: UTF8.self)
    characters = cut.characters
    totalCharacters = cut.total
    truncated = cut.isCut
  }
}
