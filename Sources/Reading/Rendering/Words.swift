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
