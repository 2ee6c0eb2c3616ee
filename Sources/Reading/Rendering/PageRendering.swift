import Core

/// The content of a tree as text and as Markdown.
struct PageRendering {
  private(set) var text: [UInt8] = []
  private(set) var markdown: [UInt8]
  /// The ends of blocks in both renderings.
  private(set) var boundaries: [BlockBoundary]
  /// The links in the content.
  ///
  /// Each address occurs once.
  private(set) var links: [PageLink]

  /// Renders the given content in the requested formats.
  ///
  /// - Throws: `Timeout` if the deadline has passed.
  init(
    _ tree: NodeTree, _ content: ContentSelection, resolver: LinkResolver, options: ReadOptions,
    deadline: Deadline
  ) throws(Failure) {
    var textMarks: [BlockMark] = []
    if options.format != .markdown {
      (text, textMarks) = try TextRenderer.render(tree, content, deadline: deadline)
    }
    var renderer = MarkdownRenderer(
      tree, content, resolver: resolver, limits: ReadLimits(), deadline: deadline,
      keepsImages: options.keepsImages)
    try renderer.render(NodeTree.root)
    let (markdown, marks) = renderer.writer.finished(renderer.marks)
    self.markdown = markdown
    boundaries =
      switch options.format {
      case nil: .common(textMarks, marks)
      case .text: .single(textMarks)
      case .markdown: .single(marks)
      }
    links = renderer.links
  }
}

extension PageFacts {
  /// Stores the part of the text and of the Markdown that the options request.
  ///
  /// - Parameters:
  ///   - plain: The text.
  ///   - marked: The Markdown.
  ///   - boundaries: The ends of blocks in both renderings, in order.
  ///   - options: The offset, the limit and the format.
  mutating func setText(
    _ plain: [UInt8], markdown marked: [UInt8], boundaries: [BlockBoundary], options: ReadOptions
  ) {
    let cut = PageCut(plain, marked, boundaries: boundaries, options)
    text = options.format == .markdown ? nil : String(decoding: plain[cut.text], as: UTF8.self)
    markdown =
      options.format == .text ? nil : String(decoding: marked[cut.markdown], as: UTF8.self)
    characters = cut.characters
    totalCharacters = cut.total
    truncated = cut.isCut
  }

  /// Sets the reason why the page has no text.
  ///
  /// If the page has text, nothing changes.
  mutating func explainEmptiness(_ reason: EmptyReason? = nil) {
    emptyReason = totalCharacters == 0 ? (reason ?? .noText).rawValue : nil
  }
}
