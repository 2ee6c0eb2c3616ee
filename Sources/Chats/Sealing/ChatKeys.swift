import Core
import Foundation
import GRDB
import Keys

/// Where the chat key is: it is made once, the store names it and its place, and where that is empty
/// no other is made.
struct ChatKeys: Sendable {
  /// What the store says of its key.
  struct Named: Sendable, Hashable {
    /// The key's id.
    var id: String
    /// Where it was put.
    var place: Place
    /// What became of what was kept in the open before there was a key.
    var plain: Plain
  }

  /// What becomes of rows that were kept in the open.
  enum Plain: String, Sendable {
    case kept
    /// They were sealed; the pages that they stood in may be there still.
    case removed
    case gone
  }

  /// Where a key is.
  enum Place: Sendable, Hashable {
    /// A file beside the configuration, of its owner alone.
    case file(String)
    /// A secret, where `key-store` keeps those.
    case secret(String)
  }

  /// The secret that holds the key, where a user put one.
  private static let secretName = "chat"
  private static let fileName = "chat.key"
  /// A variable of that name is likely another program's.
  private static let sources = KeySource.allCases.filter { $0 != .environment }

  let directories: Directories
  let keys: KeyStore

  /// The lock under which keys are made.
  func lock() throws(Failure) -> FileLock {
    try FileLock.waiting(for: directories.config + "/chat.key.lock")
  }

  /// What the store says; nil where it has no key yet.
  static func named(_ database: Database) throws -> Named? {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT id, place, plain FROM chatKey"))
    return row.flatMap { row in
      Place(rawValue: row["place"]).map {
        Named(id: row["id"], place: $0, plain: Plain(rawValue: row["plain"]) ?? .kept)
      }
    }
  }

  /// The key that the store names.
  ///
  /// - Throws: `PermissionDenied` of the kind `missingKey` where it is not there, `wrongKey` where
  ///   another one is, `unsafeMode` where others can read it.
  func key(_ named: Named) throws(Failure) -> ChatKey {
    // A key may have been moved from the file to the keyring, or back.
    let name = named.place.secret ?? Self.secretName
    let inFile = try ofFile(path(named.place.file ?? Self.fileName))
    if let inFile, inFile.id == named.id { return inFile }
    let inStore = try ofSecret(name)
    if let inStore, inStore.id == named.id { return inStore }
    let place = named.place.file.map { "the file '\(path($0))'" } ?? "the secret '\(name)'"
    guard inFile == nil, inStore == nil else {
      throw Failure(
        .permissionDenied,
        "cannot decrypt the chats: \(place) is a different key; restore the original one",
        kind: .wrongKey, input: named.place.file.map(path) ?? name)
    }
    throw Failure(
      .permissionDenied,
      "cannot decrypt the chats: \(place) is missing; restore it",
      kind: .missingKey, input: named.place.file.map(path) ?? name)
  }

  /// Returns the key that the store names if it is in its file; asks no keyring.
  func inFile(_ named: Named) -> ChatKey? {
    guard let key = try? ofFile(path(named.place.file ?? Self.fileName)), key.id == named.id else {
      return nil
    }
    return key
  }

  /// A key for a store that has none: the one that a user put into the keyring, else a new one in a
  /// file; to be called under the lock.
  ///
  /// - Throws: `BadInput` for a secret that is no key, `StorageFailed`.
  func first() throws(Failure) -> (key: ChatKey, place: Place) {
    if let key = try ofSecret(Self.secretName) { return (key, .secret(Self.secretName)) }
    // Left by a process that was killed before the store named it, or by a store that was removed.
    if let key = try ofFile(path(Self.fileName)) { return (key, .file(Self.fileName)) }
    return try put(ChatKey(), in: .file(Self.fileName))
  }

  /// A new key in a new place of the kind that the old one has; to be called under the lock.
  ///
  /// - Throws: `StorageFailed`.
  func another(after place: Place) throws(Failure) -> (key: ChatKey, place: Place) {
    let key = ChatKey()
    let name = "chat-\(key.id.prefix(8))"
    return try put(key, in: place.file == nil ? .secret(name) : .file(name + ".key"))
  }

  /// Removes a key that seals nothing any more; one that cannot be removed stays.
  func remove(_ place: Place) {
    switch place {
    case .file(let name): unlink(path(name))
    case .secret(let name): _ = try? keys.delete(name)
    }
  }

  /// Where a key is, as records tell it.
  func source(_ place: Place) -> KeySource {
    guard let name = place.secret else { return .file }
    return (try? keys.find(name, in: Self.sources))?.source ?? .keyring
  }

  /// Removes the files of keys under which nothing was ever sealed: a process that was killed while it
  /// sealed everything anew left them; to be called under the lock.
  func removeUnused(but place: Place) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directories.config)) ?? []
    for name in names
    where name != place.file && name.wholeMatch(of: /chat-[0-9a-f]{8}\.key/) != nil {
      unlink(path(name))
    }
  }

  private func put(_ key: ChatKey, in place: Place) throws(Failure) -> (ChatKey, Place) {
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
    // A name from the store leads to no other folder.
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
