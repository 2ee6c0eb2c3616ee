extension UnsafeBufferPointer<UInt8> {
  /// Calls the given closure with the range of each word, and with nil for each run of whitespace.
  ///
  /// A no-break space (C2 A0) counts as whitespace.
  @inline(__always)
  func forEachWord(_ body: (Range<Int>?) -> Void) {
    var index = 0
    while index < count {
      var end = index
      while end < count, !isSpace(self[end]), !isNoBreakSpace(at: end) { end += 1 }
      if end > index { body(index..<end) }
      guard end < count else { return }
      while end < count {
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

  @inline(__always)
  private func isNoBreakSpace(at index: Int) -> Bool {
    self[index] == 0xC2 && index + 1 < count && self[index + 1] == 0xA0
  }
}

extension ArraySlice<UInt8> {
  /// Calls the given closure with the bytes of each word, and with nil for each run of whitespace.
  func forEachWord(_ body: (ArraySlice<UInt8>?) -> Void) {
    withUnsafeBufferPointer { bytes in
      bytes.forEachWord { word in
        body(word.map { self[(startIndex + $0.lowerBound)..<(startIndex + $0.upperBound)] })
      }
    }
  }
}

/// Returns `true` if a word that ends with the byte `last` and one that begins with `first` would be
/// read as one word or number.
func joinsWords(_ last: UInt8, _ first: UInt8) -> Bool {
  // 0xE2 begins quotation marks and dashes.
  first != 0xE2
    && [last, first].allSatisfy {
      isLetter($0) || isDigit($0) || $0 >= 0x80 || $0 == UInt8(ascii: "$")
    }
}
