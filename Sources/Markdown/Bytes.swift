extension UInt8 {
  /// `true` if the byte is ASCII white space.
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  /// `true` if the byte is an ASCII letter.
  var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// `true` if the byte is an ASCII digit.
  var isDigit: Bool { self &- 0x30 < 10 }

  /// `true` if the byte is ASCII punctuation, which a backslash can escape.
  var isPunctuation: Bool { (0x21...0x7E).contains(self) && !isLetter && !isDigit }

  /// Returns the value of the byte as a decimal or hexadecimal ASCII digit; nil if it is not a
  /// digit.
  func digit(isHex: Bool) -> Int? {
    if isDigit { return Int(self) - 0x30 }
    let letter = self | 0x20
    return isHex && letter &- 0x61 < 6 ? Int(letter) - 0x57 : nil
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without ASCII white space at both ends.
  var trimmed: ArraySlice<UInt8> {
    let start = drop(while: \.isSpace)
    return start.lastIndex { !$0.isSpace }.map { start[...$0] } ?? start.prefix(0)
  }

  /// Returns the number of times that the given byte occurs in succession, starting at `index`.
  func run(of byte: UInt8, at index: Int) -> Int {
    self[index...].prefix { $0 == byte }.count
  }
}
