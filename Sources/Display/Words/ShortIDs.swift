import Core

/// The few characters that tell an id from its neighbours.
///
/// A UUID is shown by its end: the beginning of a version 7 one is the time it was made, which
/// neighbours share. A name that a person gave is shown whole.
public struct ShortIDs: Sendable {
  /// The fewest characters of a UUID that are shown.
  public static let shortest = 8

  private let length: Int

  /// Finds how many characters tell these ids apart.
  public init(_ ids: some Sequence<String> = [String]()) {
    let all = Set(ids.filter(Self.isUUID))
    var length = Self.shortest
    while length < 36, Set(all.map { Self.end($0, length) }).count < all.count { length += 2 }
    self.length = length
  }

  /// What of the id is shown.
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
