extension PageType {
  /// The kind that a page's form, its names and what it says of itself suggest; nil of a page that
  /// is too short to tell.
  static func of(_ document: Document) -> PageType? {
    guard document.shape.sums[0].words >= BlockChoice.fewWords else { return nil }
    let features = PageFeatures(document.shape, document.metadata).values
    let rows = features.flatMap { [Float](repeating: $0, count: ContentModel.lanes) }
    // A feed and a sitemap are known by their format.
    let kinds = allCases.filter { $0 != .feed && $0 != .sitemap }
    let sums = ContentModel.pages.sums(of: rows, kinds.count)
    return zip(sums, kinds).max { $0.0[0] < $1.0[0] }?.1
  }
}
