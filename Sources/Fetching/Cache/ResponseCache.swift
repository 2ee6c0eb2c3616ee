public import Core
import Foundation
import GRDB
import Storage

/// An answer of a server, as it is stored in the cache.
public struct CachedResponse: Sendable, Hashable {
  /// The key of a stored answer.
  ///
  /// It consists of the requested URL and the request fields that the answer depends on.
  public struct Key: Sendable, Hashable {
    /// The requested URL.
    public var url: String
    /// The request fields that the answer depends on, each as a line `name: value`.
    public var variant: String

    /// Creates a key.
    public init(url: String, variant: String) {
      self.url = url
      self.variant = variant
    }
  }

  /// The part of a stored answer that validation may change.
  ///
  /// It does not include the body.
  public struct Head: Sendable, Hashable, Codable {
    /// The HTTP status.
    public var status: Int
    /// The header fields.
    ///
    /// Each has a name and a value.
    public var fields: [[String]]
    /// The bytes of the server's address, as numbers separated by dots; nil if it is unknown.
    public var address: String?
    /// The time, in seconds since 1970, until which the answer is fresh.
    public var freshUntil: Double

    /// Creates a head.
    public init(status: Int, fields: [[String]], address: String?, freshUntil: Double) {
      self.status = status
      self.fields = fields
      self.address = address
      self.freshUntil = freshUntil
    }
  }

  /// The key of the request that was answered.
  public var key: Key
  /// The status, the fields, and the lifetime of the answer.
  public var head: Head
  /// The decoded body.
  public var body: [UInt8]

  /// Creates an answer to store.
  public init(key: Key, head: Head, body: [UInt8]) {
    self.key = key
    self.head = head
    self.body = body
  }
}

/// A cache of servers' answers, in the file `pages.db` in the cache folder.
///
/// It stores the most recently used answers in a bounded number of bytes. The folder and the file
/// are private to this user. If either is a link, the cache is not opened. An entry whose digest
/// does not match is ignored.
public struct ResponseCache: Sendable {
  private let file: DatabaseFile
  private let maximumBytes: Int

  /// The minimum time, in seconds, between two updates of the time at which an answer was last
  /// used.
  private static let usageStep = 60.0
  /// The suffixes that distinguish the names of the cache's files.
  private static let suffixes = ["", "-wal", "-shm", ".lock"]
  /// The maximum number of variants of one URL's answer.
  ///
  /// They depend on different request fields.
  private static let maximumVariants = 8

  /// Opens the cache.
  ///
  /// If it does not exist, it is created.
  ///
  /// - Parameters:
  ///   - directories: The directories that contain the cache.
  ///   - maximumBytes: The maximum number of bytes of all answers together.
  /// - Throws: `StorageFailed` if the cache cannot be opened, the folder belongs to another user,
  ///   or the folder or a file is a link.
  public init(_ directories: Directories, maximumBytes: Int = 256 << 20) throws(Failure) {
    self.maximumBytes = maximumBytes
    try PrivateFolder.make(directories.cache)
    let path = directories.cache + "/pages.db"
    for suffix in Self.suffixes { try PrivateFolder.refuseLink(path + suffix) }
    do throws(Failure) {
      file = try Self.opened(path)
    } catch {
      // A cache from a newer version may be discarded as well.
      guard [.corrupt, .newerSchema].contains(error.kind) else { throw error }
      Self.discard(path)
      file = try Self.opened(path)
    }
  }

  private static func opened(_ path: String) throws(Failure) -> DatabaseFile {
    try DatabaseFile(
      path: path, durability: .normal, migrations: Migrations.cache, canBeReadOnly: false)
  }

  /// Deletes the files of the cache, for example because one is damaged.
  ///
  /// The next process creates a new cache.
  public func discard() {
    Self.discard(file.path)
  }

  private static func discard(_ path: String) {
    // Processes that have the old files open continue to use them. If a file is missing, unlink(2)
    // fails without harm.
    for suffix in suffixes where suffix != ".lock" { unlink(path + suffix) }
  }

  /// Returns the variants of the given URL for which an answer is stored.
  ///
  /// - Throws: `StorageFailed` if the cache cannot be read or written.
  public func variants(of url: String) throws(Failure) -> [String] {
    try file.read { database in
      try String.fetchAll(
        database, sql: "SELECT variant FROM response WHERE url = ?", arguments: [url])
    }
  }

  /// Returns the stored answer with the given key; nil if there is none or it is damaged.
  ///
  /// `now` is the current time in seconds since 1970.
  ///
  /// - Throws: `StorageFailed` if the cache cannot be read or written.
  public func response(_ key: CachedResponse.Key, now: Double) throws(Failure) -> CachedResponse? {
    let row = try file.read { database in
      try Row.fetchOne(
        database,
        sql: "SELECT id, head, body, sha256, usedAt FROM response WHERE url = ? AND variant = ?",
        arguments: [key.url, key.variant])
    }
    guard let row else { return nil }
    guard let text = row["head"] as String?, let data = row["body"] as Data?,
      let digest = row["sha256"] as String?,
      digest == Self.digest(key, text, Array(data)),
      let head = try? JSONDecoder().decode(CachedResponse.Head.self, from: Data(text.utf8))
    else {
      try remove(row["id"] as Int64? ?? 0)
      return nil
    }
    if abs(now - (row["usedAt"] as Double? ?? 0)) > Self.usageStep {
      try file.write { database in
        try database.execute(
          sql: "UPDATE response SET usedAt = ? WHERE id = ?",
          arguments: [now, row["id"] as Int64?])
      }
    }
    return CachedResponse(key: key, head: head, body: Array(data))
  }

  /// Stores the given answer in place of an older one, and deletes the least recently used answers.
  ///
  /// `now` is the current time in seconds since 1970.
  ///
  /// - Throws: `StorageFailed` if the cache cannot be read or written.
  public func store(_ response: CachedResponse, now: Double) throws(Failure) {
    let text = try Self.json(response.head)
    let bytes = response.body.count + text.utf8.count + response.key.url.utf8.count
    guard bytes <= maximumBytes / 4 else { return }
    try file.write { database in
      try database.execute(
        sql: """
          INSERT INTO response (url, variant, head, sha256, bytes, usedAt, body)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (url, variant) DO UPDATE SET head = excluded.head, sha256 = excluded.sha256,
            bytes = excluded.bytes, usedAt = excluded.usedAt, body = excluded.body
          """,
        arguments: [
          response.key.url, response.key.variant, text,
          Self.digest(response.key, text, response.body), bytes, now, Data(response.body),
        ])
      try database.execute(
        sql: """
          DELETE FROM response WHERE id IN (SELECT id FROM response WHERE url = ?
            ORDER BY usedAt DESC LIMIT -1 OFFSET ?)
          """, arguments: [response.key.url, Self.maximumVariants])
      try trim(database)
    }
  }

  /// Replaces the stored head of the given answer, which the server validated.
  ///
  /// - Throws: `StorageFailed` if the cache cannot be read or written.
  public func confirm(_ response: CachedResponse) throws(Failure) {
    let text = try Self.json(response.head)
    try file.write { database in
      try database.execute(
        sql: "UPDATE response SET head = ?, sha256 = ? WHERE url = ? AND variant = ?",
        arguments: [
          text, Self.digest(response.key, text, response.body), response.key.url,
          response.key.variant,
        ])
    }
  }

  private func remove(_ id: Int64) throws(Failure) {
    try file.write { database in
      try database.execute(sql: "DELETE FROM response WHERE id = ?", arguments: [id])
    }
  }

  private func trim(_ database: Database) throws {
    var total = try Int.fetchOne(database, sql: "SELECT coalesce(sum(bytes), 0) FROM response") ?? 0
    while total > maximumBytes {
      guard
        let oldest = try Row.fetchOne(
          database, sql: "SELECT id, bytes FROM response ORDER BY usedAt, id LIMIT 1")
      else { return }
      try database.execute(
        sql: "DELETE FROM response WHERE id = ?", arguments: [oldest["id"] as Int64])
      total -= oldest["bytes"] as Int
    }
  }

  private static func json(_ head: CachedResponse.Head) throws(Failure) -> String {
    do {
      return String(decoding: try JSONEncoder().encode(head), as: UTF8.self)
    } catch {
      throw Failure(.storageFailed, "cannot store a response", cause: "\(error)")
    }
  }

  private static func digest(_ key: CachedResponse.Key, _ head: String, _ body: [UInt8]) -> String {
    SHA256Digest.hexadecimal(
      Array("\(key.url)\n\(key.variant)\n\(head)\n\(SHA256Digest.hexadecimal(body))".utf8))
  }
}
