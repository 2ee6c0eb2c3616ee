import Core

/// Shortened IDs that still differ from each other.
///
/// A UUID is shown by its end: the beginning of a version 7 UUID is its time, which neighbours
/// share. A name from a user is shown whole.
public struct ShortIDs: Sendable {
  /// The minimum number of characters of a UUID.
  public static let shortest = 8

  private let length: Int

  /// Finds the number of characters that distinguishes these IDs.
  public init(_ ids: some Sequence<String> = [String]()) {
    let all = Set(ids.filter(Self.isUUID))
    var length = Self.shortest
    while length < 36, Set(all.map { Self.end($0, length) }).count < all.count { length += 2 }
    self.length = length
  }

  /// Returns the shown part of an ID.
  public func short(_ id: String) -> String {
    Self.isUUID(id) ? Self.end(id, length) : Visible.line(id)
  }

  private static func end(_ id: String, _ length: Int) -> String {
    let end = id.suffix(length)
    return String(end.first == "-" ? end.dropFirst() : end)
  }

  private static func isUUID(_ id: String) -> Bool {
    id.utf8.count == 36
      && id.utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == 0x2D : byte.isHexadecimalDigit
      }
  }
}
