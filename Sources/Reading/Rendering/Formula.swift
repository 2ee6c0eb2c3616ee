extension NodeTree {
  /// A formula as TeX where the page gives that, else its symbols in a row.
  func formula(_ node: Int32) -> [UInt8] {
    if let alternative = value(.alttext, of: node), !alternative.isEmpty {
      return Self.withoutStyle(alternative)
    }
    var symbols: [UInt8] = []
    var next = Int(node) + 1
    // Descendants follow their ancestor; see ``NodeTree``.
    while next < nodes.count, nodes[next].parent >= node {
      if string(.encoding, of: Int32(next))?.lowercased().hasSuffix("tex") ?? false {
        return Self.withoutStyle(Array(nearText(of: Int32(next), limit: 4096).utf8)[...])
      }
      if nodes[next].tag == .text { symbols.append(contentsOf: bytes(of: Int32(next))) }
      next += 1
    }
    return symbols
  }

  /// The TeX of an image that stands for a formula, as Wikipedia has them.
  func formulaImage(_ node: Int32) -> [UInt8]? {
    guard let names = value(.class, of: node), names.starts(with: "mwe-math-fallback-image".utf8)
    else { return nil }
    return value(.alt, of: node).map(Self.withoutStyle)
  }

  /// TeX without the `{\displaystyle …}` that MediaWiki puts around it.
  private static func withoutStyle(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let prefix = "{\\displaystyle ".utf8
    guard text.starts(with: prefix), text.last == UInt8(ascii: "}") else { return Array(text) }
    return Array(text.dropFirst(prefix.count).dropLast())
  }
}
