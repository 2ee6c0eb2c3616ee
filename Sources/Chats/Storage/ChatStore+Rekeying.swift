public import Core
import Foundation
import GRDB
import Storage

extension ChatStore {
  /// Seals everything under a new key in one transaction, then deletes the old key.
  ///
  /// The new key is stored before it seals anything. The old key is deleted only when everything is
  /// sealed and on disk, so a process that is killed meanwhile leaves a working key.
  ///
  /// - Returns: The record of the new key.
  /// - Throws: `PermissionDenied` if the old key is missing; `StorageFailed` if the store or the
  ///   new key cannot be written.
  public func rekey() throws(Failure) -> KeyRecord {
    let lock = try chatKeys.lock()
    defer { withExtendedLifetime(lock) {} }
    guard let old = try file.read(ChatKeys.named) else {
      throw Failure(.notFound, "there are no chats and no chat key")
    }
    use(try chatKeys.key(old))
    let new = try chatKeys.another(after: old.place)
    do throws(Failure) {
      try write { try $0.reseal(under: new.key, in: new.place) }
    } catch {
      chatKeys.remove(new.place)
      throw error
    }
    use(new.key)
    chatKeys.remove(old.place)
    chatKeys.removeUnused(but: new.place)
    // This removes the rows under the old key from the write-ahead log, unless another process
    // reads.
    try? file.queue.inDatabase { _ = try $0.checkpoint(.truncate) }
    return KeyRecord(
      name: "chat", masked: "…", source: chatKeys.source(new.place),
      fingerprint: new.key.id)
  }
}

extension SealedTables {
  /// Seals all rows under the given key.
  fileprivate func reseal(under new: ChatKey, in place: ChatKeys.Place) throws {
    // Files are renamed first, while the turns that name them can still be opened.
    try renameFiles(under: new)
    for (table, owner) in [("project", "''"), ("chat", "''"), ("turn", "chatId")] {
      try reseal(table, "sealed", owner: owner, under: new) { SealedRow(table, $0, of: $1) }
    }
    try reseal("call", "sealed", owner: "''", under: new) { id, _ in SealedRow("call", id) }
    try reseal("segment", "filter", owner: "''", under: new) { id, _ in
      SealedRow("segment.filter", id)
    }
    try reseal("segment", "text", owner: "''", under: new) { id, _ in SealedRow("segment", id) }
    try database.execute(
      sql: "UPDATE chatKey SET id = ?, place = ?", arguments: [new.id, place.rawValue])
  }

  private func reseal(
    _ table: String, _ column: String, owner: String, under new: ChatKey,
    _ row: (String, String) -> SealedRow
  ) throws {
    let ids = try Int64.fetchAll(
      database, sql: "SELECT rowid FROM \(table) WHERE \(column) IS NOT NULL")
    for number in ids {
      guard
        let found = try Row.fetchOne(
          database.cachedStatement(
            sql: "SELECT CAST(id AS TEXT), \(owner), \(column) FROM \(table) WHERE rowid = ?"),
          arguments: [number])
      else { continue }
      let place = row(found[0], found[1])
      try database.run(
        "UPDATE \(table) SET \(column) = ? WHERE rowid = ?",
        [try new.seal(try key.open(found[2], of: place), for: place), number])
    }
  }

  /// Renames the stored files to the names that derive from the given key.
  private func renameFiles(under new: ChatKey) throws {
    for number in try Int64.fetchAll(database, sql: "SELECT rowid FROM attachment") {
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT chatId, id, sealed FROM attachment WHERE rowid = ?",
          arguments: [number])
      else { continue }
      let chatId: String = row["chatId"]
      let plain = try key.open(
        row["sealed"], of: SealedRow("attachment", row["id"], of: chatId))
      let named = plain.isEmpty ? try digest(ofFile: row["id"], in: chatId) : nil
      let digest = named ?? SHA256Digest.hexadecimal(Array(plain))
      let name = new.name(ofContent: digest, in: chatId)
      try database.run(
        "UPDATE attachment SET id = ?, sealed = ? WHERE rowid = ?",
        [
          name, try new.seal(plain, for: SealedRow("attachment", name, of: chatId)), number,
        ])
    }
  }

  /// Returns the digest of a file whose bytes are not stored.
  ///
  /// It is read from the turn that names the file.
  private func digest(ofFile name: String, in chatId: String) throws -> String? {
    try turns(of: chatId).flatMap { $0.attachments ?? [] }.map(\.sha256)
      .first { key.name(ofContent: $0, in: chatId) == name }
  }
}
