import Core
import Postgres
import Storage
import TestSupport
import Testing

/// A database of a test, and a base in it.
struct PostgresPlace {
  /// The condition of the tests that need a server.
  static let isInstalled: ConditionTrait = .enabled(
    if: PostgresServer.isInstalled, "the server of PostgreSQL 15 is not installed")

  let home: Home
  let server: PostgresServer
  let name: String
  let base: PostgresBase

  init() throws {
    home = try Home()
    server = try PostgresServer.shared.get()
    name = try server.database(of: home)
    base = try PostgresBase(server.address(of: name))
  }

  /// Opens another base in the same database.
  func another() throws -> PostgresBase { try PostgresBase(server.address(of: name)) }

  /// Ends all connections to the database, and waits for their end.
  func endSessions() throws {
    try server.run(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(name)'")
  }

  /// Stores a row with the given name.
  func add(_ name: String) throws {
    _ = try base.write { try Self.add(name, in: $0) }
  }

  static func add(_ name: String, in rows: any Rows) throws(Failure) {
    try rows.run("INSERT INTO pairedHost (name, record) VALUES (?, '{}')", [name])
  }

  /// Returns the names of the stored rows, sorted.
  func names() throws -> [String] {
    try base.read { try $0.values(String.self, "SELECT name FROM pairedHost ORDER BY name") }
  }
}
