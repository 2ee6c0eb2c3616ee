#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension [UInt8] {
  /// Where a byte is first, from an index on (memchr(3)): most of a page is scripts to pass over.
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
  /// Where a text is first.
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

  /// Whether it begins with a text in lower case, in whatever case.
  func starts(withLowercase text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    return zip(indices, text.bytes).allSatisfy { self[$0].lowercased == $1 }
  }
}

extension StringProtocol {
  /// Whether a text is in it, byte for byte.
  func holds(_ text: String) -> Bool {
    Array(utf8)[...].firstOffset(of: text.utf8) != nil
  }
}

extension StaticString {
  /// Its bytes where they lie in the program.
  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}

extension UInt8 {
  /// The byte with an ASCII capital made small.
  @inline(__always)
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// The value of an ASCII digit.
  @inline(__always)
  func digit(isHex: Bool) -> Int? {
    if isDigit(self) { return Int(self) - 0x30 }
    let letter = self | 0x20
    return isHex && letter &- 0x61 < 6 ? Int(letter) - 0x57 : nil
  }
}
