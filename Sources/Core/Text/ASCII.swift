/// The ASCII class of a byte. Bytes of multibyte characters belong to no class.
extension UInt8 {
  /// `true` for 0 to 9.
  @inlinable public var isDigit: Bool { self &- 0x30 < 10 }

  /// `true` for A to Z.
  @inlinable public var isCapital: Bool { self &- 0x41 < 26 }

  /// `true` for A to Z and a to z.
  @inlinable public var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// `true` for 0 to 9, A to F and a to f.
  @inlinable public var isHexadecimalDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }

  /// The value of a hexadecimal digit, 0 to 15; nil for any other byte.
  @inlinable public var hexadecimalValue: UInt8? {
    if isDigit { return self - 0x30 }
    return isHexadecimalDigit ? (self | 0x20) - 0x57 : nil
  }

  /// The byte, converted to lower case if it is a capital letter.
  @inlinable public var lowercased: UInt8 { isCapital ? self | 0x20 : self }
}
