import Core

/// The shortening of ids so that they still differ from each other.
///
/// Only the end of a UUID is shown, because version 7 UUIDs of neighbouring records begin with the
/// same time. The same applies to the id of a coding agent, which is the name of its program and a
/// UUID. A name that a user gave is not shortened.
public struct ShortIDs: Sendable {
  /// The minimum number of characters of a UUID that are shown.
  public static let shortest = 8

  private let length: Int

  /// Creates a rule that shows as many characters as distinguish the given ids.
  public init(_ ids: some Sequence<String> = [String]()) {
    let all = Set(ids.compactMap(Self.uuid))
    var length = Self.shortest
    while length < 36, Set(all.map { Self.end($0, length) }).count < all.count { length += 2 }
    self.length = length
  }

  /// Returns the part of the given id that is shown.
  public func short(_ id: String) -> String {
    Self.uuid(in: id).map { Self.end($0, length) } ?? Visible.line(id)
  }

  private static func end(_ id: Substring, _ length: Int) -> String {
    let end = id.suffix(length)
    return String(end.first == "-" ? end.dropFirst() : end)
  }

  /// Returns the UUID that is the given id, or follows a lowercase word and a dash; nil for none.
  private static func uuid(in id: String) -> Substring? {
    guard id.utf8.count >= 36, isUUID(id.suffix(36)) else { return nil }
    let word = id.dropLast(36)
    let isWord = word.utf8.dropLast().allSatisfy { (0x61...0x7A).contains($0) }
    return word.isEmpty || isWord && word.utf8.count > 1 && word.last == "-" ? id.suffix(36) : nil
  }

  private static func isUUID(_ id: Substring) -> Bool {
    id.utf8.count == 36
      && id.utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == 0x2D : byte.isHexadecimalDigit
      }
  }
}
