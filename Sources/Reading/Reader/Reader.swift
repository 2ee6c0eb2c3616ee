public import Core

/// A converter of documents to text and Markdown.
///
///     let kind = DocumentKind.of(bytes, type: "text/html")
///     let page = try Reader.read(bytes, as: kind, options: ReadOptions(baseURL: "https://a.example/"))
///     print(page.title ?? "", page.markdown ?? "")
public enum Reader {
  /// Reads a document, which may be malformed and in any encoding.
  ///
  /// HTML is reduced to its content. A feed or a sitemap, in XML or JSON, becomes a page that lists
  /// its entries. Markdown loses its comments. In other text, only the encoding, the line ends and
  /// invisible characters change. The running time is linear in the size of the document.
  ///
  /// - Parameters:
  ///   - document: The decoded body of a response, or a file.
  ///   - kind: The kind of the document.
  ///   - options: The limits, and the known properties of the document.
  /// - Returns: The content of the page and its metadata.
  /// - Throws: `Timeout` of kind `tooSlow` if the deadline has passed; `BadInput` of kind
  ///   `tooLarge` if the document has more than 2 GB; `PageRefused` of kind `unsupportedType` if
  ///   its kind has no readable text.
  public static func read(
    _ document: [UInt8], as kind: DocumentKind, options: ReadOptions
  ) throws(Failure) -> PageFacts {
    try read(
      document, as: kind, options: options, within: Deadline(seconds: options.deadlineSeconds))
  }

  /// Reads a document within the time that the given deadline still allows.
  package static func read(
    _ document: [UInt8], as kind: DocumentKind, options: ReadOptions, within deadline: Deadline
  ) throws(Failure) -> PageFacts {
    switch kind {
    case .html: return try html(document, options, deadline)
    case .text: return text(document, options)
    case .markdown: return try markdown(document, options, deadline)
    case .feed: return try feed(document, options, deadline)
    case .pdf, .unsupported:
      throw Failure(
        .pageRefused, "\(kind.mediaType), \(document.count) bytes, has no text to read",
        kind: .unsupportedType)
    }
  }

  /// Checks that the given selector is valid.
  ///
  /// - Parameter selector: A CSS selector.
  /// - Throws: `BadUsage` of kind `badSelector` if the selector is invalid. The failure names the
  ///   position of the error.
  public static func check(selector: String) throws(Failure) {
    // Only the check matters here, not the parsed selector.
    _ = try SelectorParser.parse(selector)
  }

  /// Reads HTML by libxml2's `htmlCtxtReadMemory` in SAX mode.
  private static func html(
    _ html: [UInt8], _ options: ReadOptions, _ deadline: Deadline
  ) throws(Failure) -> PageFacts {
    deadline.spend(html.count)
    let decoded = decodeText(html, contentType: options.contentType, isHTML: true)
    let document = try Document.parse(
      decoded.bytes, options, limits: ReadLimits(), deadline: deadline)
    let content = ContentSelection(document, deadline)
    try deadline.check()
    var page = document.metadata.facts
    try page.render(
      document.tree, content, resolver: document.resolver, options: options, deadline: deadline)
    if document.isCut { page.truncated = true }
    page.hidden = document.visibility.count
    page.removed = document.removed
    page.pageType = document.typing.type?.rawValue
    page.explainEmptiness(content.emptyReason)
    page.charset = decoded.charset
    return page
  }
}

extension PageFacts {
  /// Renders the content of the given tree in the forms that the options request.
  ///
  /// The content's links are stored, too.
  mutating func render(
    _ tree: NodeTree, _ content: ContentSelection, resolver: LinkResolver, options: ReadOptions,
    deadline: Deadline
  ) throws(Failure) {
    let rendering = try PageRendering(
      tree, content, resolver: resolver, options: options, deadline: deadline)
    setText(
      rendering.text, markdown: rendering.markdown, boundaries: rendering.boundaries,
      options: options)
    links = rendering.links
  }
}
