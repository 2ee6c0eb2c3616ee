import Core
import Postgres
import Requests
import Storage
import TestSupport
import Testing

/// The tables of a shared database, their versions, and the rights of hubs.
@Suite("tables in PostgreSQL", PostgresPlace.isInstalled)
struct PostgresSchemaTests {
  private func kind(_ address: PostgresAddress) -> FailureKind? {
    #expect(throws: Failure.self) { try PostgresBase(address) }?.kind
  }

  @Test func `an empty database is refused until it is migrated`() throws {
    let server = try PostgresServer.shared.get()
    let address = try server.address(of: server.makeDatabase(isEmpty: true))
    let failure = #expect(throws: Failure.self) { try PostgresBase(address) }
    #expect(failure?.kind == .olderSchema)
    #expect(failure?.action == "run hub-serve migrate")
    for _ in 1...2 { try PostgresSchema.migrate(address, granting: nil) }
    #expect(try PostgresBase(address).read { try $0.has("SELECT 1 FROM changeCount") })
  }

  @Test func `tables of a newer version are refused by hubs and by migrations`() throws {
    let place = try PostgresPlace()
    let address = try place.server.address(of: place.name)
    try place.server.run("UPDATE schemaVersion SET version = 999", in: place.name)
    #expect(kind(address) == .newerSchema)
    let failure = #expect(throws: Failure.self) {
      try PostgresSchema.migrate(address, granting: nil)
    }
    #expect(failure?.kind == .newerSchema)
    // A base that is open finds out when it connects again.
    try place.endSessions()
    let late = #expect(throws: Failure.self) { try place.names() }
    #expect(late?.kind == .newerSchema)
  }

  @Test func `a hub's role decides gates and adds to the audit, and cannot change it`() throws {
    let place = try PostgresPlace()
    let role = "hub \"\(place.name)"
    try place.server.run("CREATE ROLE \"hub \"\"\(place.name)\" LOGIN")
    try PostgresSchema.migrate(place.server.address(of: place.name), granting: role)
    let base = try PostgresBase(
      place.server.address(of: place.name, user: "hub%20%22\(place.name)"))
    #expect(try base.isAuditProtected())
    #expect(try !place.base.isAuditProtected())
    let store = Store(base)
    _ = try store.open(
      ApprovalGate(ts: 0, gateId: "g", status: .pending, summary: "s", requestedAt: .now))
    #expect(try store.decide(gate: "g", .approve, reason: nil, actor: "ann").isWinner)
    #expect(try !store.decide(gate: "g", .reject, reason: nil, actor: "bob").isWinner)
    #expect(try store.audit().map(\.actor) == ["ann", "bob"])
    for statement in [
      "UPDATE audit SET actor = 'eve'", "DELETE FROM audit", "TRUNCATE audit",
      "DROP TRIGGER auditIsNotChanged ON audit", "UPDATE schemaVersion SET version = 0",
      "DROP TABLE watched",
    ] {
      #expect(throws: Failure.self) { try base.write { try $0.run(statement) } }
    }
    // The owner is stopped by the triggers.
    for statement in ["UPDATE audit SET actor = 'eve'", "DELETE FROM audit", "TRUNCATE audit"] {
      let failure = #expect(throws: Failure.self) {
        try place.base.write { try $0.run(statement) }
      }
      #expect(failure?.explanation.hasSuffix("the audit is only added to") == true)
    }
    #expect(try store.audit().count == 2)
  }
}
