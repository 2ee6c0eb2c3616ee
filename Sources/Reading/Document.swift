import Core

/// A parsed document with what is known of it before its content is chosen.
struct Document {
  let tree: NodeTree
  let metadata: Metadata
  let shape: PageShape
  /// Resolves the links of the document.
  let resolver: LinkResolver
  /// Whether it was longer than the limits.
  let isCut: Bool
  /// Invisible characters that were left out.
  let removed: Int

  /// Words of prose below which the text for readers without scripts is looked at.
  private static let fewWords = 40

  /// Parses a document.
  ///
  /// Pages that scripts fill often hold their text for readers without scripts as well; that is
  /// taken where there is more of it.
  ///
  /// - Throws: ``Failure`` as ``TreeBuilder/build(_:limits:deadline:)``.
  static func parse(
    _ html: [UInt8], _ options: ReadOptions, limits: ReadLimits, deadline: Deadline
  ) throws(Failure) -> Document {
    let scan = MarkupScanner.scan(html, limits: limits)
    let document = try Document(scan, html, options, limits, deadline)
    guard scan.sawNoscript, document.shape.sums[0].prose < fewWords else { return document }
    let other = try Document(
      MarkupScanner.scan(html, limits: limits, keepsNoscript: true), html, options, limits, deadline
    )
    return other.shape.sums[0].prose > document.shape.sums[0].prose ? other : document
  }

  private init(
    _ scan: MarkupScanner.Result, _ html: [UInt8], _ options: ReadOptions, _ limits: ReadLimits,
    _ deadline: Deadline
  ) throws(Failure) {
    (tree, isCut) = try TreeBuilder.build(scan.markup, limits: limits, deadline: deadline)
    let base = LinkResolver(base: options.baseURL)
    let linked = LinkedData(scan.linkedData, of: html, limits: limits)
    metadata = Metadata(
      tree, linkedData: linked, limits: limits, resolver: base, address: options.baseURL)
    // A saved page mostly says where it came from.
    let place =
      base.hasBase ? base : metadata.canonicalURL.map { LinkResolver(base: $0) } ?? base
    resolver = metadata.base.map { place.rebased(on: $0) } ?? place
    let words = PageWords(metadata, linkedData: scan.linkedData.map { html[$0] })
    shape = PageShape(tree, Visibility(tree), words)
    removed = scan.removed + tree.removed
  }
}
