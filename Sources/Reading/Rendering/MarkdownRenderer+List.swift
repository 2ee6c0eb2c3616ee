import Core

extension MarkdownRenderer {
  mutating func list(_ node: Int32) throws(Failure) {
    guard writer.singleLine == 0 else { return try block(node) }
    let isOrdered = tree[node].tag == .ol
    // A list number has at most nine digits.
    var number = isOrdered ? tree.string(.start, of: node).flatMap { Int($0) } ?? 1 : 1
    number = min(max(number, 0), 900_000_000)
    let isNested = isInItem(node)
    // Only a list that begins with 1 may directly follow a line of text.
    let mayFollow = number == 1 && (!isOrdered || firstItemHoldsText(node))
    let gap: MarkdownWriter.Gap = isNested && mayFollow ? .tight : .blank
    writer.separate(gap)
    let isFirstKind = !followsList || !lastList.isFirstKind
    var isInItem = false
    var child = tree[node].first
    while child >= 0 {
      defer { child = tree[child].next }
      guard !content.isDropped[Int(child)] else { continue }
      if tree[child].tag == .li
        || !isInItem && !isBlank(child) && !Tag.list.contains(tree[child].tag)
      {
        if isInItem { writer.endItem() }
        mark(child)
        begin(isOrdered ? number : nil, isFirstKind)
        number = min(number + 1, 999_999_999)
        isInItem = true
      }
      // Content that is in a list but in no item belongs to the item before it.
      if tree[child].tag == .li { try children(child) } else { try render(child) }
    }
    if isInItem { writer.endItem() }
    lastList = (writer.output.count, writer.depth, isFirstKind)
    writer.separate(isNested ? .tight : .blank)
  }

  /// Renders an item that is not in a list.
  mutating func item(_ node: Int32) throws(Failure) {
    guard writer.singleLine == 0 else { return try block(node) }
    writer.separate(.tight)
    begin(nil, true)
    try children(node)
    writer.endItem()
    lastList = (writer.output.count, writer.depth, true)
  }

  /// Begins an item with the given number; with a bullet if it is nil.
  ///
  /// `isFirstKind` selects one of two kinds of mark. Different kinds keep adjacent lists separate.
  private mutating func begin(_ number: Int?, _ isFirstKind: Bool) {
    writer.separate(.tight)
    let mark =
      number.map { isFirstKind ? "\($0). " : "\($0)) " } ?? (isFirstKind ? "- " : "* ")
    writer.begin(first: Array(mark.utf8), rest: Array(repeating: 0x20, count: mark.utf8.count))
  }

  private func firstItemHoldsText(_ node: Int32) -> Bool {
    tree.children(of: node).first { tree[$0].tag == .li }.map { holdsText[Int($0)] } ?? false
  }

  private var followsList: Bool {
    lastList.end == writer.output.count && lastList.depth == writer.depth && lastList.end > 0
  }

  private func isInItem(_ node: Int32) -> Bool {
    let parent = tree[node].parent
    guard parent >= 0 else { return false }
    return tree[parent].tag == .li || Tag.list.contains(tree[parent].tag)
  }

  private func isBlank(_ node: Int32) -> Bool {
    tree[node].tag == .text && tree.bytes(of: node).allSatisfy(isSpace)
  }
}
