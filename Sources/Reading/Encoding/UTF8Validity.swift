/// Returns `true` if the given bytes are valid UTF-8 (Unicode Standard, table 3-7).
///
/// The standard library would copy the bytes to validate them. ASCII, which most of a page is, is
/// checked eight bytes at a time.
func isValidUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
  bytes.withUnsafeBytes { bytes in
    var index = 0
    while index < bytes.count {
      while index + 8 <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
      }
      guard index < bytes.count else { break }
      guard bytes[index] >= 0x80 else {
        index += 1
        continue
      }
      let length = scalarLength(bytes, at: index)
      guard length > 0 else { return false }
      index += length
    }
    return true
  }
}

/// Returns the length of the non-ASCII character at the given index; 0 if it is invalid.
@inline(__always)
private func scalarLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
  let second: ClosedRange<UInt8>
  let length: Int
  switch bytes[index] {
  case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
  case 0xE0: (length, second) = (3, 0xA0...0xBF)
  case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
  case 0xED: (length, second) = (3, 0x80...0x9F)
  case 0xF0: (length, second) = (4, 0x90...0xBF)
  case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
  case 0xF4: (length, second) = (4, 0x80...0x8F)
  default: return 0
  }
  guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return 0 }
  for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
  return length
}
