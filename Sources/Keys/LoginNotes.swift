public import Core
import Foundation

/// A note about a token that a login issued.
public struct LoginNote: Sendable, Hashable {
  /// The time at which the token expires; nil if it does not expire or the time is unknown.
  public var expiresAt: Timestamp?

  /// Creates a note.
  public init(expiresAt: Timestamp?) {
    self.expiresAt = expiresAt
  }
}

/// The notes about tokens that logins issued.
///
/// They are stored in a file without secrets, which identifies a token by its digest.
struct LoginNotes {
  private struct Entry: Codable {
    var sha256: String
    var expiresAt: String?
  }

  private let path: String

  init(_ directories: Directories) {
    path = directories.state + "/logins.json"
  }

  /// Returns the note on the given token; nil if no login issued the token.
  func note(_ name: String, token: String) -> LoginNote? {
    // Without a readable note the token is still usable.
    guard let entry = entries()[name], entry.sha256 == Self.digest(token) else { return nil }
    return LoginNote(expiresAt: entry.expiresAt.flatMap { Timestamp(iso8601: $0) })
  }

  /// Stores the given note on the given token.
  ///
  /// It replaces the note on the previous token with the same name.
  ///
  /// - Throws: `StorageFailed` if the file cannot be written.
  func store(_ note: LoginNote, _ name: String, token: String) throws(Failure) {
    let lock = try FileLock.waiting(for: path + ".lock")
    defer { withExtendedLifetime(lock) {} }
    var entries = entries()
    entries[name] = Entry(sha256: Self.digest(token), expiresAt: note.expiresAt?.iso8601)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let bytes = try? encoder.encode(entries) else {
      throw Failure(.storageFailed, "cannot write '\(path)'", input: path)
    }
    try PrivateFile.write(Array(bytes), to: path)
  }

  private func entries() -> [String: Entry] {
    guard let bytes = try? PrivateFile.read(path) else { return [:] }
    return (try? JSONDecoder().decode([String: Entry].self, from: Data(bytes))) ?? [:]
  }

  private static func digest(_ token: String) -> String {
    SHA256Digest.hexadecimal(Array(token.utf8))
  }
}
