public import Core
import GRDB
import Storage

/// Rows that are missing, though others belong to them.
extension ChatStore {
  /// The ids of chats whose rows are missing while their messages or files are there.
  ///
  /// - Throws: `StorageFailed`.
  public func lostChats() throws(Failure) -> [String] { try read { try $0.lostChats() } }

  /// The id of the chat that an id or a part of one names, if only its row is missing.
  ///
  /// - Throws: `BadUsage` as ``chat(_:)``; `StorageFailed`.
  public func lostChat(_ part: String) throws(Failure) -> String? {
    try read { tables in
      guard try tables.ids("chat", like: part).isEmpty else { return nil }
      return try IdPart.whole(
        part, among: tables.lostChats().filter { $0.contains(part) }, "chat")
    }
  }

  /// The failure that reports a chat whose row is missing.
  public func missing(chat id: String) -> Failure {
    Failure(
      .storageFailed,
      "the row of chat '\(id)' is missing from '\(file.path)': "
        + "restore the file from a copy", kind: .corrupt, input: id)
  }
}

extension ChatKeys {
  /// The tables in which something is sealed, with what holds for sealed rows.
  private static let sealedTables = [
    ("attachment", "TRUE"), ("call", "sealed IS NOT NULL"), ("chat", "TRUE"),
    ("chatSpending", "TRUE"), ("project", "TRUE"), ("segment", "TRUE"), ("turn", "TRUE"),
  ]

  /// The tables in which something is sealed.
  static func sealed(_ database: Database) throws -> [String] {
    try sealedTables.filter { table, condition in
      let rows = "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(condition))"
      return try Bool.fetchOne(database, sql: rows) == true
    }.map(\.0)
  }

  /// The key that a store names; nil for a store that seals nothing yet.
  ///
  /// - Throws: `StorageFailed` for a store that has sealed rows and names no key: another key would
  ///   hide them for good.
  static func named(in file: DatabaseFile) throws(Failure) -> Named? {
    try file.read { database in
      if let named = try named(database) { return named }
      let tables = try sealed(database)
      guard !tables.isEmpty else { return nil }
      throw Failure(
        .storageFailed,
        "the row of 'chatKey' is missing from '\(file.path)', but "
          + "\(tables.map { "'\($0)'" }.joined(separator: ", ")) are encrypted: "
          + "restore the file from a copy", kind: .corrupt, input: file.path)
    }
  }
}

extension SealedTables {
  /// The ids of chats whose rows are missing while their messages or files are there.
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
