import Core

/// Shortened IDs that still differ from each other.
///
/// A UUID is shortened to its end, because version 7 UUIDs of neighbouring records begin with the
/// same time. A name that a user gave is not shortened.
public struct ShortIDs: Sendable {
  /// The minimum number of characters that are shown of a UUID.
  public static let shortest = 8

  private let length: Int

  /// Creates a rule for the given IDs: the number of characters that distinguishes them.
  public init(_ ids: some Sequence<String> = [String]()) {
    let all = Set(ids.filter(Self.isUUID))
    var length = Self.shortest
    while length < 36, Set(all.map { Self.end($0, length) }).count < all.count { length += 2 }
    self.length = length
  }

  /// Returns the part of the given ID to show.
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
