extension UInt8 {
  /// `true` for a byte of ASCII white space.
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  /// `true` for an ASCII letter.
  var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// `true` for an ASCII digit.
  var isDigit: Bool { self &- 0x30 < 10 }

  /// `true` for ASCII punctuation, which a backslash escapes.
  var isPunctuation: Bool { (0x21...0x7E).contains(self) && !isLetter && !isDigit }

  /// Returns the value of an ASCII digit; nil for any other byte.
  func digit(isHex: Bool) -> Int? {
    if isDigit { return Int(self) - 0x30 }
    let letter = self | 0x20
    return isHex && letter &- 0x61 < 6 ? Int(letter) - 0x57 : nil
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without ASCII white space at the ends.
  var trimmed: ArraySlice<UInt8> {
    let start = drop(while: \.isSpace)
    return start.lastIndex { !$0.isSpace }.map { start[...$0] } ?? start.prefix(0)
  }

  /// Returns the number of repetitions of a byte from an index on.
  func run(of byte: UInt8, at index: Int) -> Int {
    self[index...].prefix { $0 == byte }.count
  }
}
