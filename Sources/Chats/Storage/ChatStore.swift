public import Core
import Foundation
import GRDB
public import Keys
public import Storage
import Synchronization

/// The sealed projects, chats and turns in `store.db`.
///
/// Changes are on disk when a method returns.
///
/// ```swift
/// let chats = try ChatStore(directories, keys: keys)
/// let project = try chats.project(forFolder: "/home/me/work")
/// let chat = Chat(id: Identifier.make()).with { $0.projectId = project.id }
/// try chats.save(chat)
/// let kept = try chats.append(
///   [question, begun], to: chat.id, contents: [file.sha256: bytes], calls: [call])
/// try chats.save(kept[1].with { $0.complete = true … }, ended)
/// ```
public final class ChatStore: Sendable {
  /// The store that holds the chats and other data.
  package let store: Store
  let chatKeys: ChatKeys
  let file: DatabaseFile
  private let current: Mutex<ChatKey>

  /// Opens the store, and creates it and its key if they do not exist.
  ///
  /// Exchanges of plannings that are still unsealed are sealed.
  ///
  /// - Throws: `PermissionDenied` of the kind `missingKey` if the key that the store names is
  ///   missing, or `wrongKey` if another key is in its place; `StorageFailed` if the store cannot
  ///   be opened, or if it has sealed rows but names no key.
  public convenience init(_ directories: Directories, keys: KeyStore) throws(Failure) {
    try self.init(in: try Store(directories), directories, keys: keys)
  }

  /// Opens the chats in the given store, so that one transaction can also write other data.
  ///
  /// - Throws: As ``init(_:keys:)``.
  public init(in store: Store, _ directories: Directories, keys: KeyStore) throws(Failure) {
    self.store = store
    file = try store.file
    chatKeys = ChatKeys(directories: directories, keys: keys)
    let named = try ChatKeys.named(in: file)
    let key: ChatKey
    if let named {
      key = try chatKeys.key(named)
    } else {
      key = try chatKeys.makeFirst(in: file)
    }
    current = Mutex(key)
    guard file.reasonAgainstWriting == nil else { return }
    if named?.plain != .gone { try sealExchanges() }
    try migrateSpending()
  }

  /// Opens the store if it has ever held chats; returns nil otherwise.
  ///
  /// Nothing is created.
  ///
  /// - Throws: As ``init(_:keys:)``.
  public static func existing(
    in directories: Directories, keys: KeyStore
  ) throws(Failure) -> ChatStore? {
    guard let store = try Store(existingIn: directories) else { return nil }
    let holdsChats = try store.file.read { database in
      try ChatKeys.named(database) != nil || !ChatKeys.sealed(database).isEmpty
        || Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM exchange)") == true
    }
    return holdsChats ? try ChatStore(in: store, directories, keys: keys) : nil
  }

  /// Runs the given query on the tables of chats.
  func read<Value>(_ query: (SealedTables) throws -> Value) throws(Failure) -> Value {
    try withKey { (key) throws(Failure) in
      try file.read { try query(try Self.tables($0, key)) }
    }
  }

  /// Runs the given transaction.
  ///
  /// If it throws, its changes are rolled back.
  func write<Value>(_ transaction: (SealedTables) throws -> Value) throws(Failure) -> Value {
    try withKey { (key) throws(Failure) in
      try file.write { try transaction(try Self.tables($0, key)) }
    }
  }

  /// Uses the given key from now on instead of the current one.
  func use(_ key: ChatKey) { current.withLock { $0 = key } }

  /// Runs the given work with the key.
  ///
  /// If another process has changed the key, the work runs again with the new one.
  private func withKey<Value>(
    _ work: (ChatKey) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let key = current.withLock(\.self)
    do throws(Failure) {
      return try work(key)
    } catch {
      guard error.kind == .keyChanged, let named = try file.read(ChatKeys.named) else {
        throw error
      }
      let newer = try chatKeys.key(named)
      use(newer)
      return try work(newer)
    }
  }

  private static func tables(_ database: Database, _ key: ChatKey) throws -> SealedTables {
    guard try ChatKeys.named(database)?.id == key.id else {
      throw Failure(
        .storageFailed, "another process changed the chat key", kind: .keyChanged,
        nextStep: "try again")
    }
    return SealedTables(database: database, key: key)
  }
}

extension ChatKeys {
  /// Creates the key of a store that names none.
  ///
  /// Concurrent processes get the same key.
  func makeFirst(in file: DatabaseFile) throws(Failure) -> ChatKey {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    if let named = try Self.named(in: file) { return try key(named) }
    let made = try first()
    try file.write { database in
      try database.execute(
        sql: """
          INSERT INTO chatKey (id, place, plain)
          SELECT ?, ?, CASE WHEN EXISTS (SELECT 1 FROM exchange) THEN ? ELSE ? END
          """,
        arguments: [
          made.key.id, made.place.rawValue, Plain.kept.rawValue, Plain.gone.rawValue,
        ])
    }
    return made.key
  }
}
