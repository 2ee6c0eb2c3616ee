extension NodeTree {
  /// Returns the tree that a browser displays, with the shadow trees that templates declare.
  ///
  /// A template with `shadowrootmode` is the visible tree of its parent. The parent's own children
  /// are moved to the slots of that tree. Children without a slot are not displayed. Without such
  /// templates, the tree is returned unchanged.
  ///
  /// - Parameters:
  ///   - depth: The maximum depth of the result. Deeper elements are left out, but not their text.
  ///   - deadline: The deadline of the extraction.
  /// - Returns: The composed tree.
  func composed(depth: Int, _ deadline: Deadline) -> NodeTree {
    var shadows: [Int32: Int32] = [:]
    for index in nodes.indices where nodes[index].tag == .template {
      let (template, host) = (Int32(index), nodes[index].parent)
      guard shadows[host] == nil, Self.hosts.contains(self[host].tag),
        let mode = string(.shadowrootmode, of: template)?.lowercased(),
        mode == "open" || mode == "closed"
      else { continue }
      shadows[host] = template
    }
    guard !shadows.isEmpty else { return self }
    return ShadowComposition(self, shadows, depth: depth, deadline).result
  }

  /// The elements that can have a shadow tree, including custom elements.
  private static let hosts = Tag.Group(
    .inline, .article, .aside, .blockquote, .body, .div, .footer, .h1, .h2, .h3, .h4, .h5, .h6,
    .header, .main, .nav, .p, .section, .span)
}

/// A copy of a tree in which shadow trees replace the children of their hosts.
private struct ShadowComposition {
  /// The children of a host that its slots have not taken yet, by the name of their slot.
  private struct Scope {
    var children: [UInt64: [Int32]]
    /// The index of the scope that the host is in; -1 for the document.
    var outer: Int
  }

  /// A node that is still to be copied.
  private struct Step {
    var node: Int32
    var parent: Int32
    var scope: Int
    var depth: Int
  }

  private(set) var result: NodeTree
  private let tree: NodeTree
  private let shadows: [Int32: Int32]
  private var scopes: [Scope] = []
  // A composed tree can be much deeper than the parsed one, so there is no recursion.
  private var steps: [Step] = []

  init(_ tree: NodeTree, _ shadows: [Int32: Int32], depth: Int, _ deadline: Deadline) {
    self.tree = tree
    self.shadows = shadows
    result = NodeTree(text: tree.text, attributes: tree.attributes)
    let root = tree[NodeTree.root]
    result.setRoot(MarkupScanner.Piece(start: root.start, count: root.count))
    push(tree.children(of: NodeTree.root), parent: NodeTree.root, scope: -1, depth: 1)
    while let step = steps.popLast(), deadline.spend(1) { copy(step, depth: depth) }
  }

  private mutating func push(
    _ nodes: some Sequence<Int32>, parent: Int32, scope: Int, depth: Int
  ) {
    for node in nodes.reversed() {
      steps.append(Step(node: node, parent: parent, scope: scope, depth: depth))
    }
  }

  private mutating func copy(_ step: Step, depth limit: Int) {
    var copy = tree[step.node]
    copy.parent = step.parent
    (copy.first, copy.last, copy.next) = (-1, -1, -1)
    let isElement = copy.tag != .text
    let place = isElement && step.depth > limit ? step.parent : result.append(copying: copy)
    guard isElement else { return }
    let depth = step.depth + 1
    if copy.tag == .slot, step.scope >= 0,
      let taken = scopes[step.scope].children.removeValue(forKey: name(.name, of: step.node))
    {
      push(taken, parent: place, scope: scopes[step.scope].outer, depth: depth)
    } else if let shadow = shadows[step.node] {
      scopes.append(Scope(children: children(of: step.node, but: shadow), outer: step.scope))
      push(tree.children(of: shadow), parent: place, scope: scopes.count - 1, depth: depth)
    } else {
      push(tree.children(of: step.node), parent: place, scope: step.scope, depth: depth)
    }
  }

  /// Returns the children of the given host by the name of their slot.
  ///
  /// White space alone does not fill a slot.
  private func children(of host: Int32, but shadow: Int32) -> [UInt64: [Int32]] {
    var children: [UInt64: [Int32]] = [:]
    for child in tree.children(of: host) where child != shadow {
      children[name(.slot, of: child), default: []].append(child)
    }
    return children.filter { _, nodes in
      nodes.contains { tree[$0].tag != .text || !tree.bytes(of: $0).allSatisfy(isSpace) }
    }
  }

  private func name(_ attribute: Attribute, of node: Int32) -> UInt64 {
    NameHash.of(tree.value(attribute, of: node) ?? [])
  }
}
