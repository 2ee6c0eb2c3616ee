import Core
import Crypto
import Foundation

/// The key under which all that was said is sealed, with AES-GCM.
struct ChatKey: Sendable {
  /// Tells the key from others, and nothing of it.
  let id: String
  private let key: SymmetricKey

  /// A key of 32 bytes; nil for another number of them.
  init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    key = SymmetricKey(data: bytes)
    id = Self.digest("agentpipes chat key", under: key)
  }

  /// The key that a text holds in base64; nil where it holds none.
  init?(text: String) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let bytes = Data(base64Encoded: trimmed) else { return nil }
    self.init(bytes: Array(bytes))
  }

  /// A new key.
  init() {
    key = SymmetricKey(size: .bits256)
    id = Self.digest("agentpipes chat key", under: key)
  }

  /// The key in base64.
  var text: String { key.withUnsafeBytes { Data($0) }.base64EncodedString() }

  /// Seals what a row holds: nonce, ciphertext and tag.
  ///
  /// - Throws: `StorageFailed`.
  func seal(_ plain: some DataProtocol, for row: SealedRow) throws(Failure) -> Data {
    let box = try? AES.GCM.seal(plain, using: key, authenticating: row.authenticated)
    guard let sealed = box?.combined else {
      throw Failure(.storageFailed, "cannot encrypt a row of '\(row.table)'")
    }
    return sealed
  }

  /// What a row holds.
  ///
  /// - Throws: `StorageFailed` of the kind `corrupt` where it was changed or is another row's.
  func open(_ sealed: Data, of row: SealedRow) throws(Failure) -> Data {
    guard let box = try? AES.GCM.SealedBox(combined: sealed),
      let plain = try? AES.GCM.open(box, using: key, authenticating: row.authenticated)
    else {
      throw Failure(
        .storageFailed, "cannot decrypt '\(row.id)' of '\(row.table)': it was changed",
        kind: .corrupt, input: row.id)
    }
    return plain
  }

  /// By which name an attachment is kept: who does not have the key cannot tell what it is the name of.
  func name(ofContent sha256: String, in chatId: String) -> String {
    Self.digest("attachment \(chatId) \(sha256)", under: key)
  }

  private static func digest(_ text: String, under key: SymmetricKey) -> String {
    let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
    return code.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// Where something sealed stands, which is authenticated with it: it cannot be moved elsewhere.
struct SealedRow: Sendable {
  /// The table.
  var table: String
  /// The row's id.
  var id: String
  /// The chat that the row belongs to; empty where it belongs to none.
  var chatId: String

  /// Names a row.
  init(_ table: String, _ id: String, of chatId: String = "") {
    (self.table, self.id, self.chatId) = (table, id, chatId)
  }

  /// With the id's length, since an id may hold anything.
  fileprivate var authenticated: Data {
    Data("\(table)|\(id.utf8.count)|\(id)|\(chatId)".utf8)
  }
}
