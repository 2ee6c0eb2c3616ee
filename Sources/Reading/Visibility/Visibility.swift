/// Which elements no reader of the page would see.
///
/// The first version: what an element says of itself by attributes and inline style.
struct Visibility {
  /// Whether each node is hidden by itself; what is under it is hidden with it.
  private(set) var isHidden: [Bool]

  init(_ tree: NodeTree) {
    isHidden = [Bool](repeating: false, count: tree.nodes.count)
    for index in tree.nodes.indices.dropFirst() where tree.nodes[index].tag != .text {
      isHidden[index] = tree.isHidden(Int32(index))
    }
  }
}

extension NodeTree {
  /// Whether an element says of itself that no reader sees it: the `hidden` attribute,
  /// `aria-hidden`, or an inline style of `display: none` or `visibility: hidden`.
  fileprivate func isHidden(_ node: Int32) -> Bool {
    let element = self[node]
    guard element.tag != .text, element.count > 0 else { return false }
    for value in attributes[Int(element.start)..<Int(element.start + element.count)] {
      let bytes = text[Int(value.start)..<Int(value.start + value.count)]
      switch value.attribute {
      // `hidden=until-found` is shown by a search within the page, and hidden all the same.
      case .hidden: return !isStreamed(node)
      case .ariaHidden where equals(bytes, "true"): return true
      case .style where hides(bytes): return true
      default: continue
      }
    }
    return false
  }

  /// Whether an element is a part that React streams late: its script moves it into its place.
  private func isStreamed(_ node: Int32) -> Bool {
    value(.id, of: node)?.starts(with: "S:".utf8) ?? false
  }

  private func hides(_ style: ArraySlice<UInt8>) -> Bool {
    style.split(separator: UInt8(ascii: ";")).contains { declaration in
      let compact = declaration.filter { !isSpace($0) }.map(\.lowercased)
      return compact.starts(with: "display:none".utf8)
        || compact.starts(with: "visibility:hidden".utf8)
        || compact.starts(with: "visibility:collapse".utf8)
    }
  }

  private func equals(_ bytes: ArraySlice<UInt8>, _ word: String) -> Bool {
    bytes.filter { !isSpace($0) }.map(\.lowercased).elementsEqual(word.utf8)
  }
}
