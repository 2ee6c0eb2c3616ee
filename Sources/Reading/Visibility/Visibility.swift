/// The parts of a page that a person would not see.
///
/// An element can be hidden by its attributes, by its `style`, or by a rule in the page's own style
/// sheets. A hidden container with most of the page's text counts as visible, because a script may
/// show it after the page has loaded.
struct Visibility {
  /// For each node, `true` if it is hidden.
  ///
  /// If hidden elements are nested, only the outermost is marked. If some content of a hidden
  /// element is visible, its hidden texts are marked instead.
  private(set) var isHidden: [Bool]
  /// The number of elements that hide text.
  private(set) var count = 0

  init(_ tree: NodeTree, styles: [ArraySlice<UInt8>], deadline: Deadline) {
    deadline.spend(styles.reduce(0) { $0 + $1.count })
    var judgement = VisibilityJudgement(tree, StyleSheet(styles), deadline)
    judgement.run()
    isHidden = judgement.isHidden
    count = judgement.count
  }

  /// Returns a copy in which no node is hidden.
  ///
  /// The count stays the same.
  func showingAll() -> Visibility {
    var copy = self
    copy.isHidden = [Bool](repeating: false, count: isHidden.count)
    return copy
  }

  /// Returns the visibility of the nodes of the given tree.
  ///
  /// `origins` contains, for each of its nodes, the index of the same node in this tree.
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
  /// Inserts `[hidden: ` before the text of each node that `isHidden` marks, and `]` after it.
  mutating func markHidden(_ isHidden: [Bool]) {
    for index in isHidden.indices where isHidden[index] {
      guard let (first, last) = texts(under: Int32(index)) else { continue }
      surround(first, before: "[hidden: ", behind: first == last ? "]" : "")
      if first != last { surround(last, before: "", behind: "]") }
    }
  }

  /// Returns the first and the last text node in the given node that are not only white space.
  private func texts(under node: Int32) -> (first: Int32, last: Int32)? {
    var first: Int32 = -1
    var last: Int32 = -1
    var next = node
    // Descendants follow their ancestor, and no hidden node is inside another one.
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
