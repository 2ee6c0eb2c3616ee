import Core

/// A parsed document, with the analysis from which its content is chosen.
struct Document {
  let tree: NodeTree
  let visibility: Visibility
  let metadata: Metadata
  let shape: PageShape
  let typing: PageTyping
  /// The resolver of the document's links.
  let resolver: LinkResolver
  /// `true` if all visible text of the page, or of the selected elements, was requested.
  let isWhole: Bool
  /// `true` if a script may fill the page.
  let hasScript: Bool
  /// `true` if the document exceeded a limit, so that only a part of it was read.
  let isCut: Bool
  /// The number of invisible characters that were removed.
  let removed: Int

  /// The number of words of prose below which the content of `noscript` may be used.
  private static let fewWords = 40

  /// Parses the given document.
  ///
  /// Every phase counts its steps in `deadline`. A page that scripts fill often repeats its text in
  /// `noscript`. The repeated text is used if it has more words.
  ///
  /// - Throws: `BadUsage` of kind `badSelector` if the selector is invalid; otherwise as
  ///   ``TreeBuilder/build(_:limits:deadline:)``.
  static func parse(
    _ html: [UInt8], _ options: ReadOptions, limits: ReadLimits, deadline: Deadline
  ) throws(Failure) -> Document {
    let selector = try options.selector.map { (text) throws(Failure) in
      try SelectorParser.parse(text)
    }
    let names = selector?.names ?? SelectorNames()
    let scan = MarkupScanner.scan(html, limits: limits, deadline: deadline, names: names)
    let document = try Document(
      scan, of: html, selector, options: options, limits: limits, deadline: deadline)
    guard scan.sawNoscript, document.shape.sums[0].prose < fewWords else { return document }
    let other = try Document(
      MarkupScanner.scan(
        html, limits: limits, deadline: deadline, keepsNoscript: true, names: names),
      of: html, selector, options: options, limits: limits, deadline: deadline)
    return other.shape.sums[0].prose > document.shape.sums[0].prose
      || document.shape.blocks.isEmpty ? other : document
  }

  private init(
    _ scan: MarkupScanner.Result, of html: [UInt8], _ selector: SelectorList?,
    options: ReadOptions, limits: ReadLimits, deadline: Deadline
  ) throws(Failure) {
    try deadline.check()
    var (tree, isCut) = try TreeBuilder.build(scan, limits: limits, deadline: deadline)
    tree = tree.composed(depth: limits.depth, deadline).withoutFormulaPictures(deadline)
    removed = scan.removed
    hasScript = scan.sawScript
    let base = LinkResolver(base: options.baseURL)
    let linked = LinkedData(scan.linkedData, of: html, limits: limits, deadline: deadline)
    metadata = Metadata(
      tree, linkedData: linked, limits: limits, resolver: base, address: options.baseURL,
      deadline: deadline)
    try deadline.check()
    resolver = metadata.base.map { base.rebased(on: $0) } ?? base
    var visibility = Visibility(tree, styles: scan.styles, deadline: deadline)
    try deadline.check()
    if options.showsHidden {
      tree.markHidden(visibility.isHidden)
      visibility = visibility.showingAll()
    }
    if let selector {
      let found = Selection.elements(selector, in: tree, deadline: deadline)
      try deadline.check()
      let (selected, origins) = tree.selecting(found)
      (tree, visibility) = (selected, visibility.mapped(origins, in: tree))
    }
    let words = PageWords(
      metadata, address: options.baseURL, linkedData: scan.linkedData.map { html[$0] }, deadline)
    shape = PageShape(tree, visibility, words: words, deadline)
    try deadline.check()
    typing = PageTyping(shape, metadata)
    isWhole = options.isWhole || selector != nil
    self.tree = tree
    self.isCut = isCut
    self.visibility = visibility
  }
}
