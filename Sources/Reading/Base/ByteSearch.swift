#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension [UInt8] {
  /// Returns the index of the first occurrence of the given byte at or after `start` (memchr(3)).
  ///
  /// memchr(3) is fast, which matters because most of a page is scripts to skip.
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(byte), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns the offset of the first occurrence of the given bytes; nil if they do not occur.
  func firstOffset(of wanted: some Collection<UInt8>) -> Int? {
    guard let first = wanted.first else { return startIndex }
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var at = 0
      while at + wanted.count <= bytes.count,
        let found = memchr(base + at, Int32(first), bytes.count - at)
      {
        at = UnsafeRawPointer(found) - base
        if bytes[at...].starts(with: wanted) { return startIndex + at }
        at += 1
      }
      return nil
    }
  }

  /// Returns `true` if the bytes begin with the given lower-case text, ignoring ASCII case.
  func starts(withLowercase text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    return zip(indices, text.bytes).allSatisfy { self[$0].lowercased == $1 }
  }
}

extension StringProtocol {
  /// Returns `true` if the string contains the given text, compared by bytes.
  func holds(_ text: String) -> Bool {
    Array(utf8)[...].firstOffset(of: text.utf8) != nil
  }
}

extension StaticString {
  /// The UTF-8 bytes of the literal, without a copy.
  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}

extension UInt8 {
  /// The byte, converted to lower case if it is an ASCII capital.
  @inline(__always)
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// Returns the value of the byte as a decimal or hexadecimal ASCII digit; nil if it is not a
  /// digit.
  @inline(__always)
  func digit(isHex: Bool) -> Int? {
    if isDigit(self) { return Int(self) - 0x30 }
    let letter = self | 0x20
    return isHex && letter &- 0x61 < 6 ? Int(letter) - 0x57 : nil
  }
}
