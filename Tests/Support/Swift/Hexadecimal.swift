extension [UInt8] {
  /// Creates the bytes of the given hexadecimal digits; blanks between them are skipped.
  public init(hexadecimal text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}
