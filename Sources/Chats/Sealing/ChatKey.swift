import Core
import Cryptography
import Foundation

/// The AES-GCM key that seals all chats.
struct ChatKey: Sendable {
  /// The id of the key.
  ///
  /// The key cannot be derived from it.
  let id: String
  private let key: [UInt8]

  /// Creates a key from 32 bytes; returns nil for another number of bytes.
  init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    key = bytes
    id = Self.digest("agentpipes chat key", under: key)
  }

  /// Parses a key in base64; returns nil if the text is not a key.
  init?(text: String) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let bytes = Data(base64Encoded: trimmed) else { return nil }
    self.init(bytes: Array(bytes))
  }

  /// Creates a random key.
  init() {
    key = RandomBytes.make(32)
    id = Self.digest("agentpipes chat key", under: key)
  }

  /// The key in base64.
  var text: String { Data(key).base64EncodedString() }

  /// Returns the sealed content of the given row: nonce, ciphertext and tag.
  ///
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  func seal(_ plain: some ContiguousBytes, for row: SealedRow) throws(Failure) -> Data {
    try AESGCM.seal(plain, under: key, authenticating: row.authenticated)
  }

  /// Returns the opened content of the given row.
  ///
  /// - Throws: `StorageFailed` of the kind `corrupt` if the content was changed or belongs to
  ///   another row; `ToolFailed` of the kind `library` if libcrypto is missing.
  func open(_ sealed: Data, of row: SealedRow) throws(Failure) -> Data {
    guard let plain = try AESGCM.open(sealed, under: key, authenticating: row.authenticated) else {
      throw Failure(
        .storageFailed,
        "cannot decrypt row '\(row.id)' of table '\(row.table)': the row was changed",
        kind: .corrupt, input: row.id)
    }
    return plain
  }

  /// Returns the name under which the attachment with the given digest is stored.
  ///
  /// Without the key, the name reveals nothing about the content.
  func name(ofContent sha256: String, in chatId: String) -> String {
    Self.digest("attachment \(chatId) \(sha256)", under: key)
  }

  private static func digest(_ text: String, under key: [UInt8]) -> String {
    let code = HMACSHA256.code(of: Array(text.utf8), key: key)
    return code.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// The table and the ids of a sealed row.
///
/// The seal authenticates them, so that the content cannot be moved to another row.
struct SealedRow: Sendable {
  /// The table.
  var table: String
  /// The row's id.
  var id: String
  /// The id of the row's chat; empty if it belongs to none.
  var chatId: String

  /// Creates the identification of the row with the given id in the given table.
  init(_ table: String, _ id: String, of chatId: String = "") {
    (self.table, self.id, self.chatId) = (table, id, chatId)
  }

  /// The bytes that the seal authenticates.
  ///
  /// They include the length of the id. No two rows therefore have the same bytes.
  fileprivate var authenticated: [UInt8] {
    Array("\(table)|\(id.utf8.count)|\(id)|\(chatId)".utf8)
  }
}
