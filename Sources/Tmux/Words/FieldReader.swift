/// A reader of fields in output whose format we set, from any host.
///
/// The output begins with a marker. Text before it, such as a login shell's, is skipped.
struct FieldReader {
  /// The bytes that are not read yet.
  private(set) var rest: ArraySlice<UInt8>

  /// Starts after the first occurrence of the marker.
  ///
  /// - Returns: Nil if the marker is missing.
  init?(_ bytes: ArraySlice<UInt8>, after marker: String) {
    guard let start = Self.first(Array(marker.utf8), in: bytes) else { return nil }
    rest = bytes[(start + marker.utf8.count)...]
  }

  /// Reads the bytes up to the next blank, and the blank.
  ///
  /// - Returns: Nil if no blank follows within 64 bytes, the longest possible word.
  mutating func word() -> String? {
    guard let end = rest.prefix(65).firstIndex(of: UInt8(ascii: " ")) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return String(validating: rest[..<end], as: UTF8.self)
  }

  /// Reads a nonnegative number and the blank after it.
  mutating func number() -> Int? {
    guard let word = word(), let number = Int(word), number >= 0 else { return nil }
    return number
  }

  /// Reads a number of bytes as text; invalid UTF-8 becomes U+FFFD.
  mutating func text(_ length: Int) -> String? {
    guard length >= 0, length <= rest.count else { return nil }
    defer { rest = rest.dropFirst(length) }
    return String(decoding: rest.prefix(length), as: UTF8.self)
  }

  /// Reads a text that must come next.
  ///
  /// - Returns: `true` if it did; otherwise nothing is read.
  mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// Returns the number of bytes before the first occurrence of a text; all if it is missing.
  func count(before text: String) -> Int {
    Self.first(Array(text.utf8), in: rest).map { $0 - rest.startIndex } ?? rest.count
  }

  private static func first(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard let head = wanted.first else { return bytes.startIndex }
    var start = bytes.startIndex
    while let found = bytes[start...].firstIndex(of: head) {
      if bytes[found...].starts(with: wanted) { return found }
      start = found + 1
    }
    return nil
  }
}
