public import Core
import Foundation
import GRDB
import Storage

/// An answer of a server as it is kept to be used again.
public struct CachedResponse: Sendable, Hashable {
  /// What was asked for, and with which fields as far as they matter.
  public struct Key: Sendable, Hashable {
    /// The address.
    public var url: String
    /// The fields of the request that the answer depends on, as lines `name: value`.
    public var variant: String

    /// Creates a key.
    public init(url: String, variant: String) {
      self.url = url
      self.variant = variant
    }
  }

  /// What of an answer may change while its body stays.
  public struct Head: Sendable, Hashable, Codable {
    /// The HTTP status.
    public var status: Int
    /// The header fields: a name and a value each.
    public var fields: [[String]]
    /// The bytes of the address that answered, with dots between.
    public var address: String?
    /// Until when it may be used without asking, in seconds since 1970.
    public var freshUntil: Double

    /// Creates a head.
    public init(status: Int, fields: [[String]], address: String?, freshUntil: Double) {
      self.status = status
      self.fields = fields
      self.address = address
      self.freshUntil = freshUntil
    }
  }

  /// What it answers.
  public var key: Key
  /// The status, the fields, and how long they hold.
  public var head: Head
  /// The decoded body.
  public var body: [UInt8]

  /// Creates an answer to keep.
  public init(key: Key, head: Head, body: [UInt8]) {
    self.key = key
    self.head = head
    self.body = body
  }
}

/// `pages.db` in the cache folder: answers of servers, in a bounded number of bytes, the ones that
/// were used last.
///
/// The folder and the file are this user's alone; where a link stands in the place of either, nothing is
/// opened. An entry that is not what was written is as good as none.
public struct ResponseCache: Sendable {
  private let file: DatabaseFile
  private let maximumBytes: Int

  /// An answer that is used more often than this is noted as used only so often, in seconds.
  private static let usageStep = 60.0
  /// What the names of the files end with that SQLite and we make.
  private static let suffixes = ["", "-wal", "-shm", ".lock"]
  /// The most answers to one URL that differ by what was sent.
  private static let maximumVariants = 8

  /// Opens the cache, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - directories: Where it is.
  ///   - maximumBytes: How many bytes of answers are kept.
  /// - Throws: `StorageFailed`, also when the folder is another's or a link stands in the way.
  public init(_ directories: Directories, maximumBytes: Int = 256 << 20) throws(Failure) {
    self.maximumBytes = maximumBytes
    try PrivateFolder.make(directories.cache)
    let path = directories.cache + "/pages.db"
    for suffix in Self.suffixes { try PrivateFolder.refuseLink(path + suffix) }
    do throws(Failure) {
      file = try Self.opened(path)
    } catch {
      // What a newer version keeps may be thrown away as well.
      guard [.corrupt, .newerSchema].contains(error.kind) else { throw error }
      Self.discard(path)
      file = try Self.opened(path)
    }
  }

  private static func opened(_ path: String) throws(Failure) -> DatabaseFile {
    try DatabaseFile(
      path: path, durability: .normal, migrations: Migrations.cache, canBeReadOnly: false)
  }

  /// Throws away what is kept, so that the next process begins anew: for a file that is damaged.
  public func discard() {
    Self.discard(file.path)
  }

  private static func discard(_ path: String) {
    // A process that has the old files open goes on with them. What is gone already is gone.
    for suffix in suffixes where suffix != ".lock" { unlink(path + suffix) }
  }

  /// The variants of a URL's answers that are kept.
  ///
  /// - Throws: `StorageFailed`.
  public func variants(of url: String) throws(Failure) -> [String] {
    try file.read { database in
      try String.fetchAll(
        database, sql: "SELECT variant FROM response WHERE url = ?", arguments: [url])
    }
  }

  /// The answer to a request, if it is kept and whole; `now` is in seconds since 1970.
  ///
  /// - Throws: `StorageFailed`.
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

  /// Keeps an answer in the place of an older one, and drops what was not used for longest; `now` is
  /// in seconds since 1970.
  ///
  /// - Throws: `StorageFailed`.
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

  /// Gives an answer that is kept another head, as the server confirmed it.
  ///
  /// - Throws: `StorageFailed`.
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
