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
    let selector = try options.selector.map { (text) throws(Failure) in
      try SelectorParser.parse(text)
    }
    let names = selector?.names ?? SelectorNames()
    var scan = MarkupScanner.scan(decoded.bytes, limits: limits, names: names)
    var page = try read(scan, selector, options, limits, deadline)
    if page.totalCharacters == 0, scan.sawNoscript {
      // Pages that scripts fill often hold their text for readers without scripts as well.
      scan = MarkupScanner.scan(decoded.bytes, limits: limits, keepsNoscript: true, names: names)
      page = try read(scan, selector, options, limits, deadline)
    }
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

  private static func read(
    _ scan: MarkupScanner.Result, _ selector: SelectorList?, _ asked: ReadOptions,
    _ limits: ReadLimits, _ deadline: Deadline
  ) throws(Failure) -> ReadPage {
    var options = asked
    var (tree, isCut) = try TreeBuilder.build(scan.markup, limits: limits, deadline: deadline)
    let base = LinkResolver(base: options.baseURL)
    let metadata = Metadata(tree, limits: limits, resolver: base)
    let resolver = metadata.base.map { base.rebased(on: $0) } ?? base
    var visibility = Visibility(tree, styles: scan.styles)
    if options.showsHidden {
      tree.markHidden(visibility.isHidden)
      visibility = visibility.showingAll()
    }
    if let selector {
      let (selected, origins) = tree.selecting(Selection.elements(selector, in: tree))
      (tree, visibility) = (selected, visibility.mapped(origins, in: tree))
      options.isWhole = true
    }
    let content = ContentSelection(tree, visibility, options)
    var page = ReadPage(metadata)
    var text: (text: [UInt8], marks: [BlockMark]) = ([], [])
    if options.format != .markdown {
      text = try TextRenderer.render(tree, content, deadline: deadline)
    }
    var renderer = MarkdownRenderer(
      tree, content, resolver: resolver, limits: limits, deadline: deadline)
    try renderer.render(content.root)
    page.setText(
      text.text, markdown: renderer.writer.output,
      options.format == nil
        ? .common(text.marks, renderer.marks)
        : .single(options.format == .text ? text.marks : renderer.marks), options)
    page.truncated = page.truncated || isCut
    page.hidden = visibility.count
    page.removed = scan.removed + tree.removed
    page.links = renderer.links
    page.emptyReason = page.totalCharacters == 0 ? .noText : nil
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
