import Core
import Foundation
import GRDB

/// The tables of chats inside a transaction, and the key that opens them.
struct SealedTables {
  /// SQLite's connection.
  let database: Database
  /// The key.
  let key: ChatKey

  /// The record that a row holds.
  func record<Record: StreamRecord>(
    _ type: Record.Type, _ sealed: Data, of row: SealedRow
  ) throws(Failure) -> Record {
    try Record(json: String(decoding: try key.open(sealed, of: row), as: UTF8.self))
  }

  /// What a row is to hold of a record.
  func seal(_ record: some StreamRecord, for row: SealedRow) throws(Failure) -> Data {
    try key.seal(try record.line(), for: row)
  }

  /// The ids of a table that a person may mean by a part of one.
  func ids(_ table: String, like part: String) throws -> [String] {
    try String.fetchAll(
      database,
      sql: "SELECT id FROM \(table) WHERE instr(id, ?1) ORDER BY id <> ?1, id LIMIT 20",
      arguments: [part])
  }
}
