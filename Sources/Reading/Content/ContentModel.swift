internal import CContentModel

/// A set of decision trees, trained on pages whose content is known.
///
/// The trees were made by gradient boosting (Friedman, "Greedy function approximation", 2001). The
/// program in `scripts/train` makes them from a folder of pages.
struct ContentModel {
  private let ensemble: content_ensemble

  /// The model that gives the log odds that a block is content.
  ///
  /// Its columns are those of ``BlockFeatures``.
  static var blocks: ContentModel { ContentModel(ensemble: content_blocks) }
  /// The model that gives a score for each page type.
  ///
  /// Its columns are those of ``PageFeatures``.
  static var pages: ContentModel { ContentModel(ensemble: content_pages) }
  /// The model that gives the log odds that a page tells one story.
  ///
  /// Its columns are those of ``PageFeatures``.
  static var stories: ContentModel { ContentModel(ensemble: content_stories) }

  /// The number of columns in a row.
  var columns: Int { Int(ensemble.width) }

  /// The number of rows that are evaluated together.
  static let lanes = 8

  /// Returns, for each row, `count` sums of the trees' outputs.
  ///
  /// Tree number `i` counts toward sum `i % count`.
  ///
  /// Trees are not walked. Each split at which a row goes right removes the leaves on the split's
  /// left. The first remaining leaf of a tree is the leaf that a walk would reach.
  ///
  /// - Parameters:
  ///   - rows: The features of ``lanes`` rows, column by column.
  ///   - count: The number of sums for each row.
  /// - Returns: `count` sums of each row. All sums are 0 if the number of columns is not that of
  ///   the training.
  func sums(of rows: [Float], _ count: Int) -> [SIMD8<Float>] {
    var sums = [SIMD8<Float>](repeating: .zero, count: count)
    guard rows.count == columns * Self.lanes else { return sums }
    withUnsafeTemporaryAllocation(of: SIMD8<UInt16>.self, capacity: Int(ensemble.count)) { kept in
      kept.initialize(repeating: SIMD8(repeating: .max))
      rows.withUnsafeBytes { rows in
        for column in 0..<columns {
          dropLeaves(
            column, rows.loadUnaligned(fromByteOffset: column * 32, as: SIMD8<Float>.self), kept)
        }
      }
      for first in 0..<count {
        var sum = SIMD8<Float>.zero
        for tree in stride(from: first, to: kept.count, by: count) {
          let leaves = ensemble.leaves + tree * Int(CONTENT_LEAVES)
          for lane in 0..<Self.lanes { sum[lane] += leaves[kept[tree][lane].trailingZeroBitCount] }
        }
        sums[first] = sum
      }
    }
    return sums
  }

  /// Removes the leaves that a row cannot reach, because it goes right at a split of the given
  /// column.
  @inline(__always)
  private func dropLeaves(
    _ column: Int, _ values: SIMD8<Float>, _ kept: UnsafeMutableBufferPointer<SIMD8<UInt16>>
  ) {
    let splits = Int(ensemble.columns[column])..<Int(ensemble.columns[column + 1])
    guard !splits.isEmpty else { return }
    // `max()` over all lanes is a function call, and this runs for every column of every block.
    let half = pointwiseMax(values.lowHalf, values.highHalf)
    let most = Swift.max(Swift.max(half[0], half[1]), Swift.max(half[2], half[3]))
    for split in splits {
      let split = ensemble.splits[split]
      guard most > split.value else { return }
      let isRight = values .> split.value
      let right = SIMD8<Int32>.zero.replacing(with: SIMD8(repeating: -1), where: isRight)
      kept[Int(split.tree)] &=
        SIMD8(repeating: split.kept) | ~SIMD8<UInt16>(truncatingIfNeeded: right)
    }
  }
}
