/// Reads the fields of an answer that a program was told the form of, whoever it comes from.
///
/// The answer begins with a marker of ours. What stands before it, such as what a login shell prints
/// of its own, is passed over.
struct FieldReader {
  /// What was not read yet.
  private(set) var rest: ArraySlice<UInt8>

  /// Starts after the first of the markers.
  ///
  /// - Returns: Nothing where the marker is not there.
  init?(_ bytes: ArraySlice<UInt8>, after marker: String) {
    guard let start = Self.first(Array(marker.utf8), in: bytes) else { return nil }
    rest = bytes[(start + marker.utf8.count)...]
  }

  /// The bytes up to the next blank, which is read too.
  ///
  /// - Returns: Nothing where no blank follows within 64 bytes, which none of our words is longer than.
  mutating func word() -> String? {
    guard let end = rest.prefix(65).firstIndex(of: UInt8(ascii: " ")) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return String(validating: rest[..<end], as: UTF8.self)
  }

  /// A number from 0 on and the blank after it.
  mutating func number() -> Int? {
    guard let word = word(), let number = Int(word), number >= 0 else { return nil }
    return number
  }

  /// So many bytes as text; what is no UTF-8 becomes U+FFFD.
  mutating func text(_ length: Int) -> String? {
    guard length >= 0, length <= rest.count else { return nil }
    defer { rest = rest.dropFirst(length) }
    return String(decoding: rest.prefix(length), as: UTF8.self)
  }

  /// Reads what must stand here, or nothing.
  ///
  /// - Returns: Whether it stood here.
  mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// How many bytes there are before the first of some; all where they are not there.
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
