/// The part of a document that is its content.
struct ContentSelection {
  /// For each node, `true` if it is left out with its descendants.
  private(set) var isDropped: [Bool]
  /// The reason why there is no content.
  ///
  /// It is nil if there is some, or if the whole page was requested.
  private(set) var emptyReason: EmptyReason?

  /// The elements that contain line numbers of code.
  let lineNumbers: LineNumbers

  /// Selects the content of the given document.
  ///
  /// If the whole document was requested, selects all of it.
  init(_ document: Document, _ deadline: Deadline) {
    self.init(of: document.tree, deadline)
    if document.isWhole {
      selectAll(of: document.tree, but: document.visibility.isHidden)
    } else {
      selectContent(document)
    }
  }

  /// Selects the whole of the given tree.
  init(of tree: NodeTree, _ deadline: Deadline) {
    lineNumbers = LineNumbers(tree, deadline)
    isDropped = [Bool](repeating: false, count: tree.nodes.count)
  }

  /// Returns, for each node of the given tree, `true` if it contains content text.
  func holdsText(in tree: NodeTree) -> [Bool] {
    var holdsText = [Bool](repeating: false, count: tree.nodes.count)
    // A parent's index is smaller than its children's.
    for index in stride(from: tree.nodes.count - 1, to: 0, by: -1) where !isDropped[index] {
      let node = tree.nodes[index]
      guard
        holdsText[index]
          || node.tag == .text && tree.bytes(of: Int32(index)).contains(where: { !isSpace($0) })
      else { continue }
      holdsText[index] = true
      holdsText[Int(node.parent)] = true
    }
    return holdsText
  }

  /// Selects everything that a person would see.
  private mutating func selectAll(of tree: NodeTree, but isHidden: [Bool]) {
    let nodes = tree.nodes
    for index in nodes.indices.dropFirst() {
      isDropped[index] =
        isDropped[Int(nodes[index].parent)] || isHidden[index]
        || Tag.unreadable.contains(nodes[index].tag)
    }
  }

  /// Selects the blocks that are probably content, and the elements without words among them.
  private mutating func selectContent(_ document: Document) {
    let shape = document.shape
    let nodes = shape.tree.nodes
    var keeps = BlockChoice(shape, isStory: document.typing.isStory).keeps
    emptyReason = EmptyReason.of(document, keeps: keeps)
    if emptyReason != nil { keeps = [Bool](repeating: false, count: keeps.count) }
    isDropped = shape.isDropped
    var keptWords = [Int32](repeating: 0, count: nodes.count)
    for (index, block) in shape.blocks.enumerated() where keeps[index] {
      keptWords[Int(block.owner)] += block.words
    }
    for index in stride(from: nodes.count - 1, to: 0, by: -1) where keptWords[index] > 0 {
      keptWords[Int(nodes[index].parent)] += keptWords[index]
    }
    let wordy = shape.nearest { shape.sums[$0].words > 0 }
    for index in nodes.indices.dropFirst() where !isDropped[index] {
      let node = nodes[index]
      switch node.tag {
      case .text:
        let block = Int(shape.blockOf[index])
        isDropped[index] = block >= 0 && !keeps[block]
      case .img, .hr, .math:
        let around = Int(wordy[index])
        isDropped[index] = keptWords[around] * 2 < shape.sums[around].words
      default:
        // If a list or quote has words but none is kept, its marks are not written either.
        isDropped[index] = shape.sums[index].words > 0 && keptWords[index] == 0
      }
    }
  }
}
