/// Which parts of a page no reader would see.
///
/// An element is hidden by its attributes, by its `style`, or by a rule of the page's own style
/// sheets. What scripts show when the page has loaded is no secret: where a container that is
/// hidden by a style holds most of the page's text, it counts as seen.
struct Visibility {
  /// Whether each node is hidden; of hidden elements within each other only the outermost is
  /// marked, and so are the texts of an element that shows some of what is in it.
  private(set) var isHidden: [Bool]
  /// How many elements hide text.
  private(set) var count = 0

  init(_ tree: NodeTree, styles: [ArraySlice<UInt8>], deadline: Deadline) {
    deadline.spend(styles.reduce(0) { $0 + $1.count })
    var judgement = VisibilityJudgement(tree, StyleSheet(styles), deadline)
    judgement.run()
    isHidden = judgement.isHidden
    count = judgement.count
  }

  /// Nothing is hidden; what would be is counted, for a page that shows it marked.
  func showingAll() -> Visibility {
    var copy = self
    copy.isHidden = [Bool](repeating: false, count: isHidden.count)
    return copy
  }

  /// The same for the nodes of another tree, each of which comes from one of this one.
  func mapped(_ origins: [Int32], in tree: NodeTree) -> Visibility {
    var isCovered = isHidden
    for index in isCovered.indices.dropFirst() where isCovered[Int(tree.nodes[index].parent)] {
      isCovered[index] = true
    }
    var copy = self
    copy.isHidden = origins.map { $0 >= 0 && isCovered[Int($0)] }
    return copy
  }
}

extension NodeTree {
  /// Writes `[hidden: ` before the text of each hidden node and `]` behind it.
  mutating func markHidden(_ isHidden: [Bool]) {
    for index in isHidden.indices where isHidden[index] {
      guard let (first, last) = texts(under: Int32(index)) else { continue }
      surround(first, before: "[hidden: ", behind: first == last ? "]" : "")
      if first != last { surround(last, before: "", behind: "]") }
    }
  }

  /// The first and the last text under a node that is not white space.
  private func texts(under node: Int32) -> (first: Int32, last: Int32)? {
    var first: Int32 = -1
    var last: Int32 = -1
    var next = node
    // Descendants follow their ancestor, and of two hidden nodes none is in the other.
    repeat {
      if self[next].tag == .text, bytes(of: next).contains(where: { !isSpace($0) }) {
        if first < 0 { first = next }
        last = next
      }
      next += 1
    } while Int(next) < nodes.count && self[next].parent >= node
    return first < 0 ? nil : (first, last)
  }
}
