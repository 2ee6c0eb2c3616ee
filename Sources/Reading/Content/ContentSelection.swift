/// Which part of a document is its content.
struct ContentSelection {
  /// The element that holds the content.
  private(set) var root: Int32 = NodeTree.root
  /// Whether each node is left out with all that is under it.
  private(set) var isDropped: [Bool]
  /// Whether each node has a block among its descendants.
  private(set) var holdsBlock: [Bool]
  /// How many elements of the content were left out as hidden.
  private(set) var hidden = 0

  init(_ document: Document, _ options: ReadOptions) {
    let tree = document.tree
    let shape = document.shape
    isDropped = shape.isDropped
    holdsBlock = [Bool](repeating: false, count: tree.nodes.count)
    let choice = BlockChoice(shape)
    for index in tree.nodes.indices where tree.nodes[index].tag == .text {
      let block = Int(shape.blockOf[index])
      if block >= 0, !options.isWhole, !choice.keeps[block] { isDropped[index] = true }
    }
    for index in stride(from: tree.nodes.count - 1, to: 0, by: -1) where !isDropped[index] {
      let node = tree.nodes[index]
      if holdsBlock[index] || Tag.block.contains(node.tag) || node.tag == .br {
        holdsBlock[Int(node.parent)] = true
      }
    }
  }
}
