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
    row.withUnsafeBufferPointer { row in
      for tree in 0..<Int(ensemble.count) {
        let leaves = leaves(of: tree, SIMD4(repeating: 0), row)
        sums[tree % count] += leaves[0]
      }
    }
    return sums
  }

  /// Adds up what the trees say of each of some rows, which follow each other.
  ///
  /// Rows of other columns than the trees were trained on say nothing: there are no sums.
  func sums(ofRows rows: [Float]) -> [Float] {
    guard columns > 0, rows.count.isMultiple(of: columns) else { return [] }
    var sums = [Float](repeating: 0, count: rows.count / columns)
    rows.withUnsafeBufferPointer { rows in
      for tree in 0..<Int(ensemble.count) {
        for row in stride(from: 0, to: sums.count, by: 4) {
          // Past the last row it goes along once more.
          let most = sums.count - 1
          let starts = SIMD4(row, min(row + 1, most), min(row + 2, most), min(row + 3, most))
          let leaves = leaves(of: tree, starts &* columns, rows)
          for each in row...min(row + 3, most) { sums[each] += leaves[each - row] }
        }
      }
    }
    return sums
  }

  /// What a tree says of four rows, of each of which the first column is known.
  ///
  /// They go down in step, since each by itself would wait at every node for the value that the
  /// node compares, and guess wrong which way it leads.
  @inline(__always)
  private func leaves(
    of tree: Int, _ starts: SIMD4<Int>, _ values: UnsafeBufferPointer<Float>
  ) -> SIMD4<Float> {
    let root = ensemble.nodes + Int(ensemble.trees[tree])
    var (first, second, third, fourth) = (root, root, root, root)
    while true {
      let features =
        first.pointee.feature & second.pointee.feature & third.pointee.feature
        & fourth.pointee.feature
      guard features != UInt16(CONTENT_LEAF) else { break }
      first = next(first, starts[0], values)
      second = next(second, starts[1], values)
      third = next(third, starts[2], values)
      fourth = next(fourth, starts[3], values)
    }
    return SIMD4(
      first.pointee.value, second.pointee.value, third.pointee.value, fourth.pointee.value)
  }

  /// The node that a row goes on to; a leaf is where it stays.
  @inline(__always)
  private func next(
    _ node: UnsafePointer<content_node>, _ start: Int, _ values: UnsafeBufferPointer<Float>
  ) -> UnsafePointer<content_node> {
    let isLeaf = node.pointee.feature == UInt16(CONTENT_LEAF)
    let value = values[start + (isLeaf ? 0 : Int(node.pointee.feature))]
    let left = isLeaf ? 0 : 1
    let right = isLeaf ? 0 : Int(node.pointee.right)
    return node + (value > node.pointee.value ? right : left)
  }
}
