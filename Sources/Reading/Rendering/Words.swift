extension ArraySlice<UInt8> {
  /// Calls with each run of visible bytes, and with nil for each run of whitespace, a no-break
  /// space (C2 A0) included.
  func forEachWord(_ body: (ArraySlice<UInt8>?) -> Void) {
    var index = startIndex
    while index < endIndex {
      var end = index
      while end < endIndex, !isSpace(self[end]), !isNoBreakSpace(at: end) { end += 1 }
      if end > index { body(self[index..<end]) }
      guard end < endIndex else { return }
      while end < endIndex {
        if isSpace(self[end]) {
          end += 1
        } else if isNoBreakSpace(at: end) {
          end += 2
        } else {
          break
        }
      }
      body(nil)
      index = end
    }
  }

  private func isNoBreakSpace(at index: Int) -> Bool {
    self[index] == 0xC2 && index + 1 < endIndex && self[index + 1] == 0xA0
  }
}

extension NodeTree {
  /// The text under a preformatted element as it is, without the first line break, which HTML
  /// ignores, and without white lines at its end.
  func preformattedText(of node: Int32, _ content: ContentSelection) -> ArraySlice<UInt8> {
    var output: [UInt8] = []
    collectPreformatted(node, content, into: &output)
    var slice = output[...]
    if slice.first == 0x0A { slice = slice.dropFirst() }
    while let last = slice.last, isSpace(last) { slice = slice.dropLast() }
    return slice
  }

  private func collectPreformatted(
    _ node: Int32, _ content: ContentSelection, into output: inout [UInt8]
  ) {
    guard !content.isDropped[Int(node)] else { return }
    switch self[node].tag {
    case .text: output.append(contentsOf: bytes(of: node).lazy.filter { $0 != 0x0D })
    case .br: output.append(0x0A)
    default:
      // Highlighters put each line into an element of its own.
      let isLine = Tag.block.contains(self[node].tag) && self[node].tag != .pre
      if isLine, let last = output.last, last != 0x0A { output.append(0x0A) }
      for child in children(of: node) { collectPreformatted(child, content, into: &output) }
      if isLine, let last = output.last, last != 0x0A { output.append(0x0A) }
    }
  }
}
