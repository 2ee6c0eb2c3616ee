/// A reader of the fields in tmux output, for a format that we define.
///
/// The output begins with a marker. Text before the marker, such as a login shell's, is skipped.
struct FieldReader {
  /// The unread bytes.
  private(set) var rest: ArraySlice<UInt8>

  /// Creates a reader that starts after the first occurrence of `marker`; returns nil if there is
  /// none.
  init?(_ bytes: ArraySlice<UInt8>, after marker: String) {
    guard let start = Self.first(Array(marker.utf8), in: bytes) else { return nil }
    rest = bytes[(start + marker.utf8.count)...]
  }

  /// Reads the bytes up to the next blank, and skips the blank.
  ///
  /// - Returns: The bytes as text; nil if there is no blank within 64 bytes.
  mutating func word() -> String? {
    guard let end = rest.prefix(65).firstIndex(of: UInt8(ascii: " ")) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return String(validating: rest[..<end], as: UTF8.self)
  }

  /// Reads a nonnegative number and skips the blank after it.
  mutating func number() -> Int? {
    guard let word = word(), let number = Int(word), number >= 0 else { return nil }
    return number
  }

  /// Reads the given number of bytes as text.
  ///
  /// Invalid UTF-8 becomes U+FFFD.
  mutating func text(_ length: Int) -> String? {
    guard length >= 0, length <= rest.count else { return nil }
    defer { rest = rest.dropFirst(length) }
    return String(decoding: rest.prefix(length), as: UTF8.self)
  }

  /// Skips the given text if it comes next.
  ///
  /// - Returns: `true` if the text was skipped.
  mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// Returns the number of bytes before the first occurrence of the given text; all if there is
  /// none.
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
