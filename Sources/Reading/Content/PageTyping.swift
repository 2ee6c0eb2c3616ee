import Foundation

/// The type of a page, as judged by its features.
struct PageTyping {
  /// The most probable type of the page; nil if the page is too short to judge.
  let type: PageType?
  /// `true` if the page tells one story, such as an article or a blog post.
  let isStory: Bool

  /// The likelihood above which a page counts as a story.
  ///
  /// `scripts/train` uses the same value.
  private static let leastStory: Float = 0.7

  /// Judges a page by the features of its shape and metadata.
  ///
  /// - Parameters:
  ///   - shape: The blocks and the elements of the page.
  ///   - metadata: The metadata of the page.
  init(_ shape: PageShape, _ metadata: Metadata) {
    guard shape.sums[0].words >= BlockChoice.fewWords else {
      type = nil
      isStory = false
      return
    }
    let features = PageFeatures(shape, metadata).values
    let rows = features.flatMap { [Float](repeating: $0, count: ContentModel.lanes) }
    // Feeds and sitemaps are recognised by their format.
    let kinds = PageType.allCases.filter { $0 != .feed && $0 != .sitemap }
    let sums = ContentModel.pages.sums(of: rows, kinds.count)
    type = zip(sums, kinds).max { $0.0[0] < $1.0[0] }?.1
    isStory = 1 / (1 + expf(-ContentModel.stories.sums(of: rows, 1)[0][0])) > Self.leastStory
  }
}
