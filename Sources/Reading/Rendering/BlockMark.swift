/// Where a block begins in a rendering: the node and how many bytes were written before it.
struct BlockMark {
  var node: Int32
  var offset: Int32
}

extension [BlockBoundary] {
  /// The places that two renderings of one tree have in common, in order.
  ///
  /// Blocks that a rendering moved, as a table's caption is, are no place to cut at.
  static func common(_ text: [BlockMark], _ markdown: [BlockMark]) -> [BlockBoundary] {
    var result: [BlockBoundary] = []
    var index = 0
    var last: Int32 = -1
    for mark in markdown where mark.node > last {
      last = mark.node
      while index < text.count, text[index].node < mark.node { index += 1 }
      guard index < text.count, text[index].node == mark.node else { continue }
      let boundary = BlockBoundary(text: Int(text[index].offset), markdown: Int(mark.offset))
      if boundary != result.last { result.append(boundary) }
    }
    return result
  }

  /// The places of one rendering alone.
  static func single(_ marks: [BlockMark]) -> [BlockBoundary] {
    marks.map { BlockBoundary(text: Int($0.offset), markdown: Int($0.offset)) }
  }
}
