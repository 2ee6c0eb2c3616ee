import Core
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Storage

/// Files in folders that cannot be written to, as far as SQLite can tell.
struct ReadOnlyDatabaseTests {
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

  private func opened() throws -> DatabaseFile {
    try DatabaseFile(path: path, durability: .full, migrations: Self.migrations)
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

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: data)) ?? []).sorted()
  }

  private func failure(_ work: () throws -> Void) -> Failure? {
    #expect(throws: Failure.self, performing: work)
  }

  @Test(arguments: ["store.db", "a b?c#d%e+é.db"])
  func `a file is read, and no other is made beside it`(name: String) throws {
    let path = data + "/" + name
    try add("one", "two", to: try opened())
    if name != "store.db" { try FileManager.default.moveItem(atPath: self.path, toPath: path) }
    let before = names
    let file = try DatabaseFile(
      reading: DatabasePlace(path: path), because: "a test", migrations: Self.migrations)
    #expect(try words(file) == ["one", "two"])
    #expect(names == before)
  }

  @Test func `nothing is written, and the failure says why`() throws {
    try add("one", to: try opened())
    let file = try reading()
    let failure = failure { try add("two", to: file) }
    #expect(failure?.code == .storageFailed && failure?.kind == "readOnly")
    #expect(failure?.explanation == "cannot write '\(path)': a test")
    #expect(try words(file) == ["one"])
  }

  @Test func `what another process adds is read, in its log and after it was taken in`() throws {
    try add("one", to: try opened())
    let file = try reading()
    #expect(try words(file) == ["one"])
    do {
      let writer = try opened()
      try add("two", to: writer)
      #expect(try words(file) == ["one", "two"])
      try add("three", to: writer)
      #expect(try words(file) == ["one", "two", "three"])
    }
    #expect(try words(file) == ["one", "two", "three"])
    try add("four", to: try opened())
    #expect(try words(file) == ["one", "two", "three", "four"])
  }

  @Test func `a query that a change came into is run again`() throws {
    try add("one", to: try opened())
    let file = try reading()
    var runs = 0
    let found = try file.read { database in
      runs += 1
      if runs == 1 { try add("two", to: try opened()) }
      return try String.fetchAll(database, sql: "SELECT text FROM word ORDER BY rowid")
    }
    #expect(found == ["one", "two"])
    #expect(runs == 2)
    // One that changes again and again is given up.
    let failure = failure {
      try file.read { _ in try add("more", to: try opened()) }
    }
    #expect(failure?.kind == "readOnly")
  }

  @Test func `a log without its shared memory cannot be read, and the failure says so`() throws {
    let other = try Home()
    try Directories.make(other.directories.data)
    let writer = try opened()
    try add("one", to: writer)
    let copy = other.directories.data + "/store.db"
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    let place = DatabasePlace(path: copy)
    let file = try DatabaseFile(reading: place, because: "a test", migrations: Self.migrations)
    #expect(try words(file) == ["one"])
    unlink(copy + "-shm")
    let failure = failure {
      _ = try DatabaseFile(reading: place, because: "a test", migrations: Self.migrations)
    }
    #expect(failure?.kind == "readOnly")
    #expect(failure?.nextStep == "copy the folder to a writable place")
    #expect(!FileManager.default.fileExists(atPath: copy + "-shm"))
  }

  @Test func `tables of an older version are brought up to date in memory`() throws {
    try add("one", to: try opened())
    let before = FileManager.default.contents(atPath: path)
    let file = try reading(Self.later)
    #expect(try file.read { try Int.fetchAll($0, sql: "SELECT number FROM word") } == [7])
    #expect(failure { try add("two", to: file) }?.kind == "readOnly")
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test func `questions are worked out in a copy, which is forgotten`() throws {
    let writer = try opened()
    try add("one", to: writer)
    let before = FileManager.default.contents(atPath: path)
    let copy = try reading().forQuestions()
    try add("two", to: copy)
    #expect(try words(copy) == ["one", "two"])
    #expect(try words(reading()) == ["one"])
    #expect(FileManager.default.contents(atPath: path) == before)
    // Where one can write, what was worked out is kept.
    try add("three", to: try writer.forQuestions())
    #expect(try words(opened()) == ["one", "three"])
  }

  @Test func `where there is no file there is nothing, and nothing is made`() throws {
    let file = try reading()
    #expect(try words(file).isEmpty)
    #expect(names.isEmpty)
  }
}
