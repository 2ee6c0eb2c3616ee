/// What kind of ASCII character a byte is. Bytes of other characters are none of these kinds.
extension UInt8 {
  /// 0 to 9.
  @inlinable public var isDigit: Bool { self &- 0x30 < 10 }

  /// A to Z.
  @inlinable public var isCapital: Bool { self &- 0x41 < 26 }

  /// A to Z, a to z.
  @inlinable public var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// 0 to 9, A to F, a to f.
  @inlinable public var isHexadecimalDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }

  /// What a hexadecimal digit is worth, 0 to 15; nil for any other byte.
  @inlinable public var hexadecimalValue: UInt8? {
    if isDigit { return self - 0x30 }
    return isHexadecimalDigit ? (self | 0x20) - 0x57 : nil
  }

  /// The byte, or the small letter of a capital.
  @inlinable public var lowercased: UInt8 { isCapital ? self | 0x20 : self }
}
