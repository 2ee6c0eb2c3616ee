/// The address of an image.
///
/// The image may be loaded late or exist in several sizes.
enum ImageSource {
  /// Returns the address of the given image, as written.
  ///
  /// It is nil for a tracking pixel and for image data inside the page.
  static func of(_ node: Int32, in tree: NodeTree) -> ArraySlice<UInt8>? {
    guard !isPixel(node, tree) else { return nil }
    for attribute in [Attribute.dataSrc, .src] {
      if let source = usable(tree.value(attribute, of: node)) { return source }
    }
    if let source = largest(of: node, tree) { return source }
    // In a `picture`, the other sizes are in sibling elements.
    let parent = tree[node].parent
    guard parent >= 0, tree[parent].tag == .picture else { return nil }
    var child = tree[parent].first
    var looked = 0
    while child >= 0, looked < 20 {
      if tree[child].tag == .source, let source = largest(of: child, tree) { return source }
      child = tree[child].next
      looked += 1
    }
    return nil
  }

  private static func isPixel(_ node: Int32, _ tree: NodeTree) -> Bool {
    [Attribute.width, .height].contains { attribute in
      tree.string(attribute, of: node).flatMap { Int($0.prefix { $0.isNumber }) }.map { $0 < 4 }
        ?? false
    }
  }

  private static func usable(_ source: ArraySlice<UInt8>?) -> ArraySlice<UInt8>? {
    guard let source, source.contains(where: { !isSpace($0) }),
      !source.prefix(5).map(\.lowercased).elementsEqual("data:".utf8)
    else { return nil }
    return source
  }

  /// Returns the address with the greatest width or density in the image's `srcset`.
  private static func largest(of node: Int32, _ tree: NodeTree) -> ArraySlice<UInt8>? {
    guard let set = tree.value(.dataSrcset, of: node) ?? tree.value(.srcset, of: node) else {
      return nil
    }
    var best: ArraySlice<UInt8>?
    var bestSize = -1.0
    // A comma ends a candidate only before white space, because addresses may contain commas.
    var words = set.split(whereSeparator: isSpace)[...]
    while let source = words.popFirst() {
      var size = 1.0
      var address = source
      if address.last == UInt8(ascii: ",") {
        address = address.dropLast()
      } else if let next = words.first {
        words.removeFirst()
        let number = next.prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
        size = Double(String(decoding: number, as: UTF8.self)) ?? 1
      }
      if size > bestSize, let address = usable(address) {
        best = address
        bestSize = size
      }
    }
    return best
  }
}
