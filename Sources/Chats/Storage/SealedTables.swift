import Core
import Foundation
import GRDB

/// The tables of chats inside a transaction, together with the key that opens their rows.
struct SealedTables {
  /// The connection to the SQLite database.
  let database: Database
  /// The key that seals rows.
  let key: ChatKey

  /// Opens the given content of the given row, and decodes the record.
  func record<Record: StreamRecord>(
    _ type: Record.Type, _ sealed: Data, of row: SealedRow
  ) throws(Failure) -> Record {
    try Record(json: String(decoding: try key.open(sealed, of: row), as: UTF8.self))
  }

  /// Encodes the given record, and seals it for the given row.
  func seal(_ record: some StreamRecord, for row: SealedRow) throws(Failure) -> Data {
    try key.seal(try record.line(), for: row)
  }

  /// Returns the ids in the given table that contain the given text.
  func ids(_ table: String, like part: String) throws -> [String] {
    try String.fetchAll(
      database,
      sql: "SELECT id FROM \(table) WHERE instr(id, ?1) ORDER BY id <> ?1, id LIMIT 20",
      arguments: [part])
  }
}
