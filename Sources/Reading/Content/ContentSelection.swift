/// Which part of a document is its content.
///
/// The first version: the `<main>` or `<article>` with most of the text, where there is one that
/// holds at least half of it, else the body. Left out are hidden elements, navigation, form
/// controls, and the headers, footers and asides that surround the content.
struct ContentSelection {
  /// The element that holds the content.
  private(set) var root: Int32
  /// Whether each node is left out with all that is under it.
  private(set) var isDropped: [Bool]
  /// Whether each node has a block among its descendants.
  private(set) var holdsBlock: [Bool]

  init(_ tree: NodeTree, _ visibility: Visibility, _ options: ReadOptions) {
    let count = tree.nodes.count
    isDropped = [Bool](repeating: false, count: count)
    holdsBlock = [Bool](repeating: false, count: count)
    root = NodeTree.root
    /// Whether a node is inside a main or article element.
    var isInside = [Bool](repeating: false, count: count)
    let dropped = options.isWhole ? Tag.unreadable : Tag.dropped
    for index in 1..<max(1, count) {
      let node = tree.nodes[index]
      let parent = Int(node.parent)
      isInside[index] = isInside[parent] || node.tag == .main || node.tag == .article
      guard !isDropped[parent] else {
        isDropped[index] = true
        continue
      }
      isDropped[index] =
        visibility.isHidden[index] || dropped.contains(node.tag)
        || !options.isWhole && !isInside[index] && Tag.surrounding.contains(node.tag)
    }
    var length = [Int32](repeating: 0, count: count)
    for index in stride(from: count - 1, to: 0, by: -1) where !isDropped[index] {
      let node = tree.nodes[index]
      let parent = Int(node.parent)
      if node.tag == .text { length[index] = node.count }
      length[parent] += length[index]
      if holdsBlock[index] || Tag.block.contains(node.tag) || node.tag == .br {
        holdsBlock[parent] = true
      }
    }
    if !options.isWhole { choose(tree, length) }
  }

  private mutating func choose(_ tree: NodeTree, _ length: [Int32]) {
    var best = -1
    var body = -1
    for (index, node) in tree.nodes.enumerated() where !isDropped[index] {
      if node.tag == .body, body < 0 { body = index }
      guard node.tag == .main || node.tag == .article || isMainRole(tree, index) else { continue }
      if best < 0 || length[index] > length[best] { best = index }
    }
    if best >= 0, length[best] > 0, length[best] * 2 >= length[0] {
      root = Int32(best)
    } else if body >= 0 {
      root = Int32(body)
    }
  }

  private func isMainRole(_ tree: NodeTree, _ index: Int) -> Bool {
    let node = tree.nodes[index]
    guard node.tag != .text, node.count > 0 else { return false }
    return tree.value(.role, of: Int32(index))?.elementsEqual("main".utf8) ?? false
  }
}
