/// Which part of a document is its content.
struct ContentSelection {
  /// The element that holds the content.
  private(set) var root: Int32 = NodeTree.root
  /// Whether each node is left out with all that is under it.
  private(set) var isDropped: [Bool]
  /// Whether each node has a block among its descendants.
  private(set) var holdsBlock: [Bool]

  init(_ document: Document, _ options: ReadOptions) {
    let tree = document.tree
    let shape = document.shape
    let isWhole = options.isWhole || options.selector != nil
    isDropped = isWhole ? Self.unreadable(document) : shape.isDropped
    holdsBlock = [Bool](repeating: false, count: tree.nodes.count)
    if !isWhole {
      let choice = BlockChoice(shape)
      for index in tree.nodes.indices where tree.nodes[index].tag == .text {
        let block = Int(shape.blockOf[index])
        if block >= 0, !choice.keeps[block] { isDropped[index] = true }
      }
    }
    for index in stride(from: tree.nodes.count - 1, to: 0, by: -1) where !isDropped[index] {
      let node = tree.nodes[index]
      if holdsBlock[index] || Tag.block.contains(node.tag) || node.tag == .br {
        holdsBlock[Int(node.parent)] = true
      }
    }
  }

  /// What is left out where everything is wanted that a reader sees.
  private static func unreadable(_ document: Document) -> [Bool] {
    let nodes = document.tree.nodes
    var isDropped = document.visibility.isHidden
    for index in nodes.indices.dropFirst() {
      isDropped[index] =
        isDropped[index] || isDropped[Int(nodes[index].parent)]
        || Tag.unreadable.contains(nodes[index].tag)
    }
    return isDropped
  }
}
