/// A search for the elements of a tree that match a selector.
///
/// It makes one pass over the tree for each step of the selector. Its running time is therefore
/// linear in the size of the page.
struct Selection {
  private let tree: NodeTree
  private let deadline: Deadline

  /// Returns the outermost elements that match the given selector, in document order.
  static func elements(
    _ list: SelectorList, in tree: NodeTree, deadline: Deadline
  ) -> [Int32] {
    let matches = Selection(tree: tree, deadline: deadline).matches(list.alternatives)
    var isInside = [Bool](repeating: false, count: matches.count)
    var found: [Int32] = []
    for index in matches.indices {
      let parent = Int(tree.nodes[index].parent)
      let isCovered = parent >= 0 && isInside[parent]
      isInside[index] = isCovered || matches[index]
      if matches[index], !isCovered { found.append(Int32(index)) }
    }
    return found
  }

  private func matches(_ alternatives: [Selector]) -> [Bool] {
    var result = [Bool](repeating: false, count: tree.nodes.count)
    for selector in alternatives {
      let found = matches(selector)
      for index in found.indices where found[index] { result[index] = true }
    }
    return result
  }

  private func matches(_ selector: Selector) -> [Bool] {
    var before: [Bool]?
    for step in selector.steps {
      guard deadline.spend((2 + step.conditions.count) * tree.nodes.count) else { break }
      var now = tree.nodes.map { $0.tag != .text }
      if let before { limit(&now, to: step.combinator, before) }
      for condition in step.conditions { limit(&now, to: condition) }
      before = now
    }
    return before ?? []
  }

  /// Removes from `now` the elements that have no related element in `before`.
  ///
  /// The given combinator defines the relation.
  private func limit(
    _ now: inout [Bool], to combinator: Selector.Combinator, _ before: [Bool]
  ) {
    /// For each element, `true` if it or one of its ancestors is in `before`.
    var within = before
    /// For each node, the last child element seen so far, and `true` if some child is in `before`.
    var last = [Int32](repeating: -1, count: now.count)
    var hasMatch = [Bool](repeating: false, count: now.count)
    for index in now.indices where tree.nodes[index].tag != .text {
      let parent = Int(tree.nodes[index].parent)
      guard parent >= 0 else {
        now[index] = false
        continue
      }
      let holds: Bool
      switch combinator {
      case .descendant: holds = within[parent]
      case .child: holds = before[parent]
      case .next: holds = last[parent] >= 0 && before[Int(last[parent])]
      case .subsequent: holds = hasMatch[parent]
      }
      now[index] = now[index] && holds
      within[index] = before[index] || within[parent]
      last[parent] = Int32(index)
      hasMatch[parent] = hasMatch[parent] || before[index]
    }
  }

  private func limit(_ now: inout [Bool], to condition: Selector.Condition) {
    switch condition {
    case .matches(let inner): filter(&now, matches(inner), true)
    case .not(let inner): filter(&now, matches(inner), false)
    case .position(let position):
      let places = places(position)
      for index in now.indices where now[index] { now[index] = position.holds(Int(places[index])) }
    default:
      for index in now.indices where now[index] { now[index] = holds(condition, Int32(index)) }
    }
  }

  private func filter(_ now: inout [Bool], _ found: [Bool], _ wanted: Bool) {
    for index in now.indices where now[index] { now[index] = found[index] == wanted }
  }

  private func holds(_ condition: Selector.Condition, _ node: Int32) -> Bool {
    switch condition {
    case .tag(let tag): tree[node].tag == tag
    case .otherTag(let name):
      tree.value(.selectedTag, of: node)?.elementsEqual(String(name).utf8) ?? false
    case .id(let name): tree.value(.id, of: node)?.elementsEqual(name) ?? false
    case .class(let name):
      tree.value(.class, of: node)?.split(whereSeparator: isSpace).contains {
        $0.elementsEqual(name)
      } ?? false
    case .attribute(let attribute, let comparison, let wanted, let ignoresCase):
      tree.value(attribute, of: node).map {
        compare($0, comparison, wanted, ignoresCase: ignoresCase)
      } ?? false
    case .empty:
      // As in Selectors 4, white space does not count as content.
      tree.children(of: node).allSatisfy {
        tree[$0].tag == .text && tree.bytes(of: $0).allSatisfy(isSpace)
      }
    case .root: tree[node].parent < 0
    case .matches, .not, .position: true
    }
  }

  private func compare(
    _ value: ArraySlice<UInt8>, _ comparison: Selector.Operator, _ wanted: [UInt8],
    ignoresCase: Bool
  ) -> Bool {
    if ignoresCase {
      return compare(
        value.map(\.lowercased)[...], comparison, wanted.map(\.lowercased), ignoresCase: false)
    }
    switch comparison {
    case .exists: return true
    case .equals: return value.elementsEqual(wanted)
    case .dashes:
      return value.elementsEqual(wanted) || value.starts(with: wanted + [UInt8(ascii: "-")])
    case .includes:
      return value.split(whereSeparator: isSpace).contains { $0.elementsEqual(wanted) }
    // Every value begins with the empty string, which by the standard matches nothing.
    case .begins: return !wanted.isEmpty && value.starts(with: wanted)
    case .ends: return !wanted.isEmpty && value.suffix(wanted.count).elementsEqual(wanted)
    case .contains: return !wanted.isEmpty && value.firstOffset(of: wanted) != nil
    }
  }

  /// Returns, for each element, its position among its siblings, counted from 1 as `position`
  /// requires.
  private func places(_ position: Selector.Position) -> [Int32] {
    var places = [Int32](repeating: 0, count: tree.nodes.count)
    for parent in tree.nodes.indices where tree.nodes[parent].first >= 0 {
      var count: Int32 = 0
      var ofTag: [UInt16: Int32] = [:]
      var children = Array(tree.children(of: Int32(parent))).filter { tree[$0].tag != .text }
      if position.countsFromEnd { children.reverse() }
      for child in children {
        if position.isOfType {
          ofTag[type(of: child), default: 0] += 1
          places[Int(child)] = ofTag[type(of: child)] ?? 0
        } else {
          count += 1
          places[Int(child)] = count
        }
      }
    }
    places[0] = 1
    return places
  }

  /// Returns a number that stands for the given element's name.
  ///
  /// The name may be one that only the selector uses.
  private func type(of node: Int32) -> UInt16 {
    let other = tree.value(.selectedTag, of: node).flatMap {
      UInt16(String(decoding: $0, as: UTF8.self))
    }
    return other.map { 256 + $0 } ?? UInt16(tree[node].tag.rawValue)
  }
}

extension NodeTree {
  /// Returns a tree that contains only the given elements and their descendants.
  ///
  /// - Parameter roots: The elements, in order. No element may be inside another.
  /// - Returns: The new tree, and for each of its nodes the node's index in this tree. A node that
  ///   this tree does not have gets -1.
  func selecting(_ roots: [Int32]) -> (tree: NodeTree, origins: [Int32]) {
    var result = NodeTree(text: text, attributes: attributes)
    var origins: [Int32] = [-1]
    var places: [Int32: Int32] = [:]
    let body = result.append(copying: Node(tag: .body, parent: NodeTree.root, start: 0))
    origins.append(-1)
    for root in roots {
      var node = root
      // Descendants follow their ancestor.
      repeat {
        var copy = self[node]
        copy.parent = node == root ? body : places[copy.parent] ?? body
        (copy.first, copy.last, copy.next) = (-1, -1, -1)
        places[node] = result.append(copying: copy)
        origins.append(node)
        node += 1
      } while Int(node) < nodes.count && self[node].parent >= root
    }
    return (result, origins)
  }
}
