public import Core
import Foundation

/// What is known of a token that a login gave.
public struct LoginNote: Sendable, Hashable {
  /// When the token ends; nil for one that does not, or of which it was not told.
  public var expiresAt: Timestamp?

  /// Creates a note.
  public init(expiresAt: Timestamp?) {
    self.expiresAt = expiresAt
  }
}

/// Notes on the tokens that logins gave, in a file that holds no secret: a token is known by its digest.
struct LoginNotes {
  private struct Entry: Codable {
    var sha256: String
    var expiresAt: String?
  }

  private let path: String

  init(_ directories: Directories) {
    path = directories.state + "/logins.json"
  }

  /// The note on a token; nil for one that no login gave.
  func note(_ name: String, token: String) -> LoginNote? {
    // What cannot be read tells nothing, and the token is as good as before.
    guard let entry = entries()[name], entry.sha256 == Self.digest(token) else { return nil }
    return LoginNote(expiresAt: entry.expiresAt.flatMap { Timestamp(iso8601: $0) })
  }

  /// Keeps the note on a token, in place of the one on the token of that name before it.
  ///
  /// - Throws: `StorageFailed`.
  func keep(_ note: LoginNote, _ name: String, token: String) throws(Failure) {
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
