extension NodeTree {
  /// Returns the given formula as TeX, if the page contains it, otherwise as a row of symbols.
  ///
  /// It is empty if the formula is not part of the content.
  func formula(
    _ node: Int32, _ content: ContentSelection, _ deadline: Deadline
  ) -> [UInt8] {
    guard holdsKeptText(node, content, deadline) else { return [] }
    if let alternative = value(.alttext, of: node), !alternative.isEmpty {
      return Self.withoutStyle(alternative)
    }
    var symbols: [UInt8] = []
    var next = Int(node) + 1
    // Descendants follow their ancestor; see ``NodeTree``.
    while next < nodes.count, nodes[next].parent >= node {
      deadline.spend(1)
      if string(.encoding, of: Int32(next))?.lowercased().hasSuffix("tex") ?? false {
        return Self.withoutStyle(Array(nearText(of: Int32(next), limit: 4096, deadline).utf8)[...])
      }
      if nodes[next].tag == .text { symbols.append(contentsOf: bytes(of: Int32(next))) }
      next += 1
    }
    return symbols
  }

  private func holdsKeptText(
    _ node: Int32, _ content: ContentSelection, _ deadline: Deadline
  ) -> Bool {
    var next = Int(node) + 1
    while next < nodes.count, nodes[next].parent >= node {
      deadline.spend(1)
      if nodes[next].tag == .text, !content.isDropped[next] { return true }
      next += 1
    }
    return false
  }

  /// Returns `true` if the given node, which has no text, is next to content text.
  func isAmongContent(_ node: Int32, _ content: ContentSelection) -> Bool {
    for step in [-1, 1] {
      var at = Int(node) + step
      var looked = 0
      while at > 0, at < nodes.count, looked < 40 {
        if nodes[at].tag == .text, bytes(of: Int32(at)).contains(where: { !isSpace($0) }) {
          if !content.isDropped[at] { return true }
          break
        }
        at += step
        looked += 1
      }
    }
    return false
  }

  /// Returns the TeX of the given image if it shows a formula, as on Wikipedia; otherwise nil.
  func formulaImage(_ node: Int32) -> [UInt8]? {
    guard let names = value(.class, of: node), names.starts(with: "mwe-math-fallback-image".utf8)
    else { return nil }
    return value(.alt, of: node).map(Self.withoutStyle)
  }

  /// Returns the given TeX without the `{\displaystyle …}` that MediaWiki adds around it.
  private static func withoutStyle(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let prefix = "{\\displaystyle ".utf8
    guard text.starts(with: prefix), text.last == UInt8(ascii: "}") else { return Array(text) }
    return Array(text.dropFirst(prefix.count).dropLast())
  }
}
