extension NodeTree {
  /// Returns at most `limit` bytes of the text under the given node, with collapsed whitespace.
  ///
  /// Only the first nodes under `node` are read, because callers may query many nested nodes.
  func nearText(of node: Int32, limit: Int, _ deadline: Deadline) -> String {
    var output: [UInt8] = []
    var next = Int(node)
    let end = min(nodes.count, next + 100)
    var lastBlock = node
    while next < end, output.count <= limit, next == Int(node) || nodes[next].parent >= node {
      if nodes[next].tag == .text {
        var block = Int32(next)
        while block > node, !Tag.block.contains(self[block].tag) {
          block = self[block].parent
          deadline.spend(1)
        }
        if block != lastBlock, let last = output.last, last != 0x20 { output.append(0x20) }
        lastBlock = block
        for byte in bytes(of: Int32(next)).prefix(limit + 1) {
          if !isSpace(byte) {
            output.append(byte)
          } else if let last = output.last, last != 0x20 {
            output.append(0x20)
          }
        }
      } else if Tag.block.contains(nodes[next].tag) || nodes[next].tag == .br,
        let last = output.last, last != 0x20
      {
        output.append(0x20)
      }
      next += 1
    }
    deadline.spend(next - Int(node) + output.count)
    if output.last == 0x20 { output.removeLast() }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns `true` if the given element is a heading's link to itself, such as `¶`.
  func isPermalink(_ node: Int32, _ deadline: Deadline) -> Bool {
    guard self[node].tag == .a, let href = value(.href, of: node), href.contains(0x23) else {
      return false
    }
    let text = nearText(of: node, limit: 8, deadline)
    return ["¶", "#", "§", "🔗", "∞", "⚓", "⌗"].contains(text)
  }
}
