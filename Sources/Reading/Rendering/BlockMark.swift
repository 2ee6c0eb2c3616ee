/// The start of a block in a rendering.
///
/// It is a node, and the number of bytes that were written before the node.
struct BlockMark {
  var node: Int32
  var offset: Int32
}

extension [BlockBoundary] {
  /// Returns the boundaries that the given renderings of the same tree share, in order.
  ///
  /// A block that one rendering moved, such as a table's caption, is not a boundary.
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

  /// Returns the boundaries of the only rendering, from the given starts of its blocks.
  static func single(_ marks: [BlockMark]) -> [BlockBoundary] {
    marks.map { BlockBoundary(text: Int($0.offset), markdown: Int($0.offset)) }
  }
}
