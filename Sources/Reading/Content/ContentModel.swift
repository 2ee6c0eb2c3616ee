internal import CContentModel

/// Decision trees that were trained on pages of which the content is known.
///
/// The trees are those of gradient boosting (Friedman, "Greedy function approximation", 2001);
/// `scripts/train-content` makes them anew from a folder of pages.
struct ContentModel {
  private let ensemble: content_ensemble

  /// Whether a block is content; its columns are those of ``BlockFeatures``.
  static var blocks: ContentModel { ContentModel(ensemble: content_blocks) }
  /// What kind of page it is; its columns are those of ``PageFeatures``.
  static var pages: ContentModel { ContentModel(ensemble: content_pages) }

  /// How many columns a row has.
  var columns: Int { Int(ensemble.columns) }

  /// Adds up what the trees say of a row: tree after tree to the next of so many sums, over and over.
  ///
  /// A row of other columns than the trees were trained on says nothing: all sums are 0.
  func sums(of row: [Float], _ count: Int) -> [Float] {
    var sums = [Float](repeating: 0, count: count)
    guard row.count == columns else { return sums }
    row.withUnsafeBufferPointer { row in add(row, to: &sums) }
    return sums
  }

  private func add(_ row: UnsafeBufferPointer<Float>, to sums: inout [Float]) {
    for tree in 0..<Int(ensemble.count) {
      var node = ensemble.nodes + Int(ensemble.trees[tree])
      while node.pointee.feature != UInt16(CONTENT_LEAF) {
        let isRight = row[Int(node.pointee.feature)] > node.pointee.value
        node += isRight ? Int(node.pointee.right) : 1
      }
      sums[tree % sums.count] += node.pointee.value
    }
  }
}
