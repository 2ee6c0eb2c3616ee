import Core
import Events

/// The form of ids from events in which the watched state stores them.
///
/// Senders choose the ids of their agents, swarms and sessions. An index holds no key of more than
/// 2,704 bytes, which may consist of several ids, and PostgreSQL stores no U+0000.
enum WatchedKey {
  /// The number of bytes above which an id is cut.
  private static let longest = 500

  /// Returns the given id; a long one is cut, and a digest of the whole id replaces its end.
  static func of(_ id: String) -> String {
    let id = id.utf8.contains(0) ? id.replacing("\u{0}", with: "\u{FFFD}") : id
    guard id.utf8.count > longest else { return id }
    let start = String(decoding: id.utf8.prefix(longest - 60), as: UTF8.self)
    return "\(start)…\(SHA256Digest.hexadecimal(Array(id.utf8)).prefix(16))"
  }
}

extension RawRecord {
  /// Returns the id in the given member as ``WatchedKey/of(_:)``; nil if there is none.
  func key(_ member: String) -> String? { string(member).map(WatchedKey.of) }
}
