import Core
import Foundation
import GRDB
import Keys

/// The storage of the chat key.
///
/// The key is created once. The store then names the key and its place. If the key is missing from
/// that place, no other key is created.
struct ChatKeys: Sendable {
  /// The store's entry that names its key.
  struct Named: Sendable, Hashable {
    /// The key's id.
    var id: String
    /// The place where the key is stored.
    var place: Place
    /// The state of the rows that were stored before the store had a key.
    var plain: Plain
  }

  /// The states of rows that were stored unsealed.
  enum Plain: String, Sendable {
    case kept
    /// Rows that are sealed now, but whose unsealed copies may remain in the file.
    case removed
    case gone
  }

  /// A place where a key is stored.
  enum Place: Sendable, Hashable {
    /// A private file beside the configuration.
    case file(String)
    /// A secret of `key-store`.
    case secret(String)
  }

  /// The name under which the user may store the key with `key-store`.
  private static let secretName = "chat"
  private static let fileName = "chat.key"
  /// The sources that may hold the secret.
  ///
  /// The environment is excluded, because a variable with that name is probably another program's.
  private static let sources = KeySource.allCases.filter { $0 != .environment }

  let directories: Directories
  let keys: KeyStore

  /// Acquires the lock that must be held while a key is created.
  func lock() throws(Failure) -> FileLock {
    try FileLock.waiting(for: directories.config + "/chat.key.lock")
  }

  /// Returns the store's entry about its key; nil if the store has no key yet.
  static func named(_ database: Database) throws -> Named? {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT id, place, plain FROM chatKey"))
    return row.flatMap { row in
      Place(rawValue: row["place"]).map {
        Named(id: row["id"], place: $0, plain: Plain(rawValue: row["plain"]) ?? .kept)
      }
    }
  }

  /// Returns the key that the store names.
  ///
  /// - Throws: `PermissionDenied` of the kind `missingKey` if the key is missing, `wrongKey` if
  ///   another key is in its place, or `unsafeMode` if other users can read it.
  func key(_ named: Named) throws(Failure) -> ChatKey {
    // The user may have moved the key from the file to the keyring, or back.
    let name = named.place.secret ?? Self.secretName
    let inFile = try ofFile(path(named.place.file ?? Self.fileName))
    if let inFile, inFile.id == named.id { return inFile }
    let inStore = try ofSecret(name)
    if let inStore, inStore.id == named.id { return inStore }
    let place = named.place.file.map { "the file '\(path($0))'" } ?? "the secret '\(name)'"
    guard inFile == nil, inStore == nil else {
      throw Failure(
        .permissionDenied,
        "cannot decrypt the chats: \(place) is a different key",
        kind: .wrongKey, input: named.place.file.map(path) ?? name,
        nextStep: "restore the original one")
    }
    throw Failure(
      .permissionDenied,
      "cannot decrypt the chats: \(place) is missing",
      kind: .missingKey, input: named.place.file.map(path) ?? name, nextStep: "restore it")
  }

  /// Returns the key that the store names if it is in a file; nil otherwise.
  ///
  /// No keyring is queried.
  func inFile(_ named: Named) -> ChatKey? {
    guard let key = try? ofFile(path(named.place.file ?? Self.fileName)), key.id == named.id else {
      return nil
    }
    return key
  }

  /// Returns the key for a store that names none yet; must be called under the lock.
  ///
  /// If the user's keyring has a key, that is used. Otherwise the key file is read, or created.
  ///
  /// - Throws: `BadInput` if the user's secret is not a key; `StorageFailed` if a new key cannot be
  ///   stored.
  func first() throws(Failure) -> (key: ChatKey, place: Place) {
    if let key = try ofSecret(Self.secretName) { return (key, .secret(Self.secretName)) }
    // The file is from a process that was killed before the store named the key, or from a deleted
    // store.
    if let key = try ofFile(path(Self.fileName)) { return (key, .file(Self.fileName)) }
    return try store(ChatKey(), in: .file(Self.fileName))
  }

  /// Creates a key in a new place of the same kind as the given one; must be called under the lock.
  ///
  /// - Throws: `StorageFailed` if the key cannot be stored.
  func another(after place: Place) throws(Failure) -> (key: ChatKey, place: Place) {
    let key = ChatKey()
    let name = "chat-\(key.id.prefix(8))"
    return try store(key, in: place.file == nil ? .secret(name) : .file(name + ".key"))
  }

  /// Deletes the key in the given place; ignores failures.
  ///
  /// No row may be sealed with this key any more.
  func remove(_ place: Place) {
    switch place {
    case .file(let name): unlink(path(name))
    case .secret(let name): _ = try? keys.delete(name)
    }
  }

  /// Returns the source of the key in the given place, as records name it.
  func source(_ place: Place) -> KeySource {
    guard let name = place.secret else { return .file }
    return (try? keys.find(name, in: Self.sources))?.source ?? .keyring
  }

  /// Deletes the key files that interrupted rekeyings left, except the key at `place`.
  ///
  /// Must be called under the lock.
  func removeUnused(but place: Place) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directories.config)) ?? []
    for name in names
    where name != place.file && name.wholeMatch(of: /chat-[0-9a-f]{8}\.key/) != nil {
      unlink(path(name))
    }
  }

  private func store(_ key: ChatKey, in place: Place) throws(Failure) -> (ChatKey, Place) {
    switch place {
    case .file(let name):
      try Directories.make(directories.config)
      try PrivateFile.write(Array((key.text + "\n").utf8), to: path(name))
    case .secret(let name): _ = try keys.set(name, to: key.text)
    }
    return (key, place)
  }

  private func ofFile(_ path: String) throws(Failure) -> ChatKey? {
    guard let bytes = try PrivateFile.read(path) else { return nil }
    guard let key = ChatKey(text: String(decoding: bytes, as: UTF8.self)) else {
      throw Failure(
        .permissionDenied, "'\(path)' is not a chat key", kind: .wrongKey, input: path)
    }
    return key
  }

  private func ofSecret(_ name: String) throws(Failure) -> ChatKey? {
    guard let found = try keys.find(name, in: Self.sources) else { return nil }
    guard let key = ChatKey(text: found.secret) else {
      throw Failure(
        .permissionDenied, "the secret '\(name)' is not a chat key: expected 32 bytes in base64",
        kind: .wrongKey, input: name)
    }
    return key
  }

  private func path(_ name: String) -> String { directories.config + "/" + name }
}

extension ChatKeys.Place: RawRepresentable {
  init?(rawValue: String) {
    let parts = rawValue.split(separator: ":", maxSplits: 1).map(String.init)
    // A name in the store must not lead to another folder.
    guard parts.count == 2, !parts[1].contains("/") else { return nil }
    switch parts[0] {
    case "file": self = .file(parts[1])
    case "secret": self = .secret(parts[1])
    default: return nil
    }
  }

  var rawValue: String {
    switch self {
    case .file(let name): "file:" + name
    case .secret(let name): "secret:" + name
    }
  }

  var file: String? {
    guard case .file(let name) = self else { return nil }
    return name
  }

  var secret: String? {
    guard case .secret(let name) = self else { return nil }
    return name
  }
}
