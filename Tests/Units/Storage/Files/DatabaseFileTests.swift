import Core
import Foundation
import GRDB
import Processes
import TestSupport
import Testing

@testable import Storage

/// Files that are not as they were left, and what becomes of them.
struct DatabaseFileTests {
  private let home: Home
  private var data: String { home.directories.data }
  private var path: String { data + "/store.db" }

  init() throws { home = try Home() }

  private static let migrations: DatabaseMigrator = {
    var migrations = DatabaseMigrator()
    migrations.registerMigration("1 words") { database in
      try database.execute(sql: "CREATE TABLE word (text TEXT NOT NULL)")
    }
    return migrations
  }()

  private static let later: DatabaseMigrator = {
    var migrations = Self.migrations
    migrations.registerMigration("2 numbers") { database in
      try database.execute(sql: "ALTER TABLE word ADD COLUMN number INTEGER NOT NULL DEFAULT 7")
    }
    return migrations
  }()

  private func opened(
    _ migrations: DatabaseMigrator = migrations, _ durability: DatabaseFile.Durability = .full
  ) throws -> DatabaseFile {
    try DatabaseFile(path: path, durability: durability, migrations: migrations)
  }

  private func reading(_ migrations: DatabaseMigrator = migrations) throws -> DatabaseFile {
    try DatabaseFile(
      reading: DatabasePlace(path: path), because: "a test", migrations: migrations)
  }

  private func add(_ words: String..., to file: DatabaseFile) throws {
    try file.write { database in
      for word in words {
        try database.execute(sql: "INSERT INTO word (text) VALUES (?)", arguments: [word])
      }
    }
  }

  private func words(_ file: DatabaseFile) throws -> [String] {
    try file.read { try String.fetchAll($0, sql: "SELECT text FROM word ORDER BY rowid") }
  }

  private func bytes(_ suffix: String = "") -> Data? {
    FileManager.default.contents(atPath: path + suffix)
  }

  private func put(_ bytes: Data, _ suffix: String = "") throws {
    try bytes.write(to: URL(fileURLWithPath: path + suffix))
  }

  private func remove(_ suffix: String = "") throws {
    try FileManager.default.removeItem(atPath: path + suffix)
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: data)) ?? []).sorted()
  }

  /// Copies the files of a database that is open, as a crash leaves them, to another name.
  private func crashed(_ words: String...) throws -> (file: Data, log: Data, memory: Data) {
    let file = try opened()
    for word in words { try add(word, to: file) }
    return (
      try #require(bytes()), try #require(bytes("-wal")), try #require(bytes("-shm"))
    )
  }

  private func failure(_ work: () throws -> Void) -> Failure? {
    #expect(throws: Failure.self, performing: work)
  }

  @Test func `a commit of the store waits for the disk, one of the log does not`() throws {
    for (durability, expected) in [(DatabaseFile.Durability.full, 2), (.normal, 1)] {
      let file = try opened(Self.migrations, durability)
      // 1 is NORMAL, 2 FULL (https://sqlite.org/pragma.html#pragma_synchronous).
      #expect(try file.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == expected)
      #expect(try file.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }
  }

  // MARK: - Newer and strange ones

  @Test func `a file of a newer schema is refused, and not a byte of it changes`() throws {
    try add("kept", to: try opened(Self.later))
    let before = try #require(bytes())
    for _ in 0..<2 {
      let failure = failure { _ = try opened() }
      #expect(failure?.code == .storageFailed && failure?.kind == "newerSchema")
      #expect(failure?.nextStep?.contains("upgrade agentpipes") == true)
      #expect(failure?.nextStep?.contains("AGENTPIPES_HOME") == true)
    }
    #expect(failure { _ = try reading() }?.kind == "newerSchema")
    #expect(bytes() == before)
    #expect(try words(opened(Self.later)) == ["kept"])
  }

  @Test func `a store of a newer schema is refused`() throws {
    _ = try Store(home.directories)
    try DatabaseQueue(path: path).write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999 of tomorrow')")
    }
    #expect(failure { _ = try Store(home.directories) }?.kind == "newerSchema")
    #expect(failure { _ = try Store(existingIn: home.directories) }?.kind == "newerSchema")
  }

  @Test func `a database of another program is refused`() throws {
    try Directories.make(data)
    try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE theirs (a)") }
    let before = bytes()
    #expect(failure { _ = try opened() }?.kind == "corrupt")
    #expect(bytes() == before)
  }

  // MARK: - Lost ones

  @Test func `a file that became empty is not taken for a new one`() throws {
    try add("kept", to: try opened())
    let before = try #require(bytes())
    try put(Data())
    for _ in 0..<2 {
      let failure = failure { _ = try opened() }
      #expect(failure?.kind == "corrupt")
      #expect(failure?.explanation.contains("is empty but was not before") == true)
      #expect(bytes()?.isEmpty == true)
    }
    try put(before)
    #expect(try words(opened()) == ["kept"])
    try remove()
    #expect(try words(opened()).isEmpty)
  }

  @Test func `a file that a process died in before it was made is made`() throws {
    try Directories.make(data)
    try put(Data())
    #expect(try words(opened()).isEmpty)
    try remove()
    _ = try opened()
    try remove()
    // Who begins anew may die there as well.
    DatabasePlace(path: path).mark(false)
    try put(Data())
    #expect(try words(opened()).isEmpty)
  }

  @Test func `a file made by an earlier version gets its mark when it is opened`() throws {
    _ = try opened()
    try put(Data(), ".lock")
    _ = try opened()
    try put(Data())
    #expect(failure { _ = try opened() }?.kind == "corrupt")
  }

  @Test(arguments: [false, true])
  func `a log without its file is not removed`(isEmpty: Bool) throws {
    let files = try crashed("kept")
    for name in names { try FileManager.default.removeItem(atPath: "\(data)/\(name)") }
    if isEmpty { try put(Data()) }
    try put(files.log, "-wal")
    let failure = failure { _ = try opened() }
    #expect(failure?.kind == "corrupt")
    #expect(failure?.sentence.contains("store.db-wal") == true)
    #expect(bytes("-wal") == files.log)
    #expect(self.failure { _ = try Store(existingIn: home.directories) }?.kind == "corrupt")
    try put(files.file)
    #expect(try words(opened()) == ["kept"])
  }

  @Test func `an event log may be removed, and emptied`() throws {
    _ = try opened(Self.migrations, .normal)
    try put(Data())
    #expect(try words(opened(Self.migrations, .normal)).isEmpty)
    try remove()
    #expect(try words(opened(Self.migrations, .normal)).isEmpty)
  }

  @Test func `a file that was cut anywhere is corrupt`() throws {
    let file = try opened()
    for number in 0..<400 {
      try add("word \(number) " + String(repeating: "x", count: 40), to: file)
    }
    try file.queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    let whole = try #require(bytes())
    let other = try Home()
    try Directories.make(other.directories.data)
    let copy = other.directories.data + "/store.db"
    #expect(whole.count >= 5 * 4096)
    let sizes =
      [1, 15, 16, 17, 99, 100, 511, 512, 513, 1024, 4095, 4096, 4097, whole.count / 2]
      + [whole.count - 4096, whole.count - 4095, whole.count - 512, whole.count - 1]
    for size in sizes {
      try whole.prefix(size).write(to: URL(fileURLWithPath: copy))
      for isReadOnly in [false, true] {
        let failure = failure {
          let file =
            isReadOnly
            ? try DatabaseFile(
              reading: DatabasePlace(path: copy), because: "a test", migrations: Self.migrations)
            : try DatabaseFile(path: copy, durability: .full, migrations: Self.migrations)
          _ = try words(file)
        }
        #expect(failure?.code == .storageFailed, "\(size)")
        #expect(failure?.kind == "corrupt", "\(size)")
      }
      #expect(FileManager.default.contents(atPath: copy)?.count == size)
      for suffix in ["-wal", "-shm", ".lock"] { unlink(copy + suffix) }
    }
  }

  @Test func `looking at a file leaves the locks that this process has on it`() throws {
    let file = try opened()
    try add("first", to: file)
    _ = try opened()
    let shell = try ChildProcess.run(
      ["sqlite3", path, "SELECT text FROM word"], environment: ["PATH": "/usr/bin:/bin"])
    #expect(String(decoding: shell.output, as: UTF8.self) == "first\n")
    // Whoever believes to be the last one takes the log in, and removes it.
    #expect(bytes("-wal")?.isEmpty == false)
    #expect(try words(file) == ["first"])
  }
}
