public import Core
import GRDB
import Storage

/// Methods that find chats whose rows are missing although other rows refer to them.
extension ChatStore {
  /// Returns the ids of chats whose rows are missing although they have messages or files.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func lostChats() throws(Failure) -> [String] { try read { try $0.lostChats() } }

  /// Returns the id that contains the given text, if only the row of its chat is missing.
  ///
  /// - Throws: `BadUsage` as ``chat(_:)``; `StorageFailed` if the store cannot be read.
  public func lostChat(_ part: String) throws(Failure) -> String? {
    try read { tables in
      guard try tables.ids("chat", like: part).isEmpty else { return nil }
      return try IdPart.whole(
        part, among: tables.lostChats().filter { $0.contains(part) }, "chat")
    }
  }

  /// Returns the failure to report for the chat with the given id, whose row is missing.
  public func missing(chat id: String) -> Failure {
    Failure(
      .storageFailed, "the row for chat '\(id)' is missing from '\(file.path)'", kind: .corrupt,
      input: id, nextStep: "restore the file from a copy")
  }
}

extension ChatKeys {
  /// The tables with sealed content, and for each the SQL condition that selects sealed rows.
  private static let sealedTables = [
    ("attachment", "TRUE"), ("call", "sealed IS NOT NULL"), ("chat", "TRUE"),
    ("chatSpending", "TRUE"), ("project", "TRUE"), ("segment", "TRUE"), ("turn", "TRUE"),
  ]

  /// Returns the names of the tables that hold sealed rows.
  static func sealed(_ database: Database) throws -> [String] {
    try sealedTables.filter { table, condition in
      let rows = "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(condition))"
      return try Bool.fetchOne(database, sql: rows) == true
    }.map(\.0)
  }

  /// Returns the store's entry about its key; nil if the store seals nothing yet.
  ///
  /// - Throws: `StorageFailed` if the store has sealed rows but names no key, because a new key
  ///   would make the rows unreadable forever.
  static func named(in file: DatabaseFile) throws(Failure) -> Named? {
    try file.read { database in
      if let named = try named(database) { return named }
      let tables = try sealed(database)
      guard !tables.isEmpty else { return nil }
      throw Failure(
        .storageFailed,
        "'\(file.path)' does not name the key of its encrypted tables "
          + tables.map { "'\($0)'" }.joined(separator: ", "),
        kind: .corrupt, input: file.path, nextStep: "restore the file from a copy")
    }
  }
}

extension SealedTables {
  /// Returns the ids of chats whose rows are missing although they have messages or files.
  fileprivate func lostChats() throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT chatId FROM turn WHERE chatId NOT IN (SELECT id FROM chat)
        UNION SELECT chatId FROM attachment WHERE chatId NOT IN (SELECT id FROM chat)
        ORDER BY chatId
        """)
  }
}
