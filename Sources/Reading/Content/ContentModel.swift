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
  var columns: Int { Int(ensemble.width) }

  /// Adds up what the trees say of a row: tree after tree to the next of so many sums, over and over.
  ///
  /// No tree is walked: each split of which the row goes right takes the leaves on its left away,
  /// and of what is left to a tree the first leaf is the one that a walk would reach.
  ///
  /// A row of other columns than the trees were trained on says nothing: all sums are 0.
  func sums(of row: [Float], _ count: Int) -> [Float] {
    var sums = [Float](repeating: 0, count: count)
    guard row.count == columns else { return sums }
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Int(ensemble.count)) { kept in
      kept.initialize(repeating: .max)
      for (column, value) in row.enumerated() {
        for split in Int(ensemble.columns[column])..<Int(ensemble.columns[column + 1]) {
          let split = ensemble.splits[split]
          guard value > split.value else { break }
          kept[Int(split.tree)] &= split.kept
        }
      }
      for first in 0..<count {
        var sum: Float = 0
        for tree in stride(from: first, to: kept.count, by: count) {
          sum += ensemble.leaves[tree * Int(CONTENT_LEAVES) + kept[tree].trailingZeroBitCount]
        }
        sums[first] = sum
      }
    }
    return sums
  }
}
