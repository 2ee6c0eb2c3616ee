import Core
import Events
import Storage
import TestSupport
import Testing

@testable import Postgres

/// Partitions, rights and lost connections, which SQLite does not have.
@Suite("logs in PostgreSQL", PostgresPlace.isInstalled)
struct PostgresLogTests {
  private func logs(_ numbers: Range<Int>) -> [any Event] {
    numbers.map { Log(ts: Int64($0), agentId: "a", level: .info, message: "\($0)") }
  }

  private func kept(_ log: PostgresLog) throws -> Int {
    try log.read(after: nil, limit: 1000).entries.count
  }

  private func bounds(count: Int = 1_000_000, seconds: Double = 1e9) -> EventBounds {
    var bounds = EventBounds()
    (bounds.count, bounds.bytes, bounds.seconds) = (count, 1 << 40, seconds)
    return bounds
  }

  @Test func `events that are too old are dropped with their partition`() throws {
    let place = try PostgresPlace()
    try place.server.run("UPDATE eventLog SET span = 10", in: place.name)
    let log = PostgresLog(place.base)
    let ids = try log.append(logs(0..<35))
    try place.server.run("UPDATE event SET loggedAt = 0 WHERE sequence <= 29", in: place.name)
    try log.apply(bounds(seconds: 3600), processedUpTo: ids.last)
    #expect(try log.append([EncodedEvent](), at: .now) == [])
    #expect(try kept(log) == 15)
    let tables = "SELECT count(*) FROM pg_class WHERE relname LIKE 'event\\_%' AND relkind = 'r'"
    #expect(try place.server.run(tables, in: place.name) == "2")
  }

  @Test func `bounds of a log without stored ones are those that it was created with`() throws {
    let place = try PostgresPlace()
    try place.server.run("UPDATE eventLog SET span = 10", in: place.name)
    let log = PostgresLog(place.base, bounds: bounds(count: 10))
    try log.append(logs(0..<35))
    #expect(try kept(log) == 15)
  }

  @Test func `a removal that readers block is given up, and events are stored`() throws {
    let place = try PostgresPlace()
    try place.server.run("UPDATE eventLog SET span = 10", in: place.name)
    let log = PostgresLog(place.base)
    let ids = try log.append(logs(0..<30))
    try log.apply(bounds(count: 10), processedUpTo: ids.last)
    try place.base.read { (rows) throws in
      #expect(try rows.value(Int.self, "SELECT count(*) FROM event") == 30)
      #expect(try log.append(logs(30..<31)).count == 1)
      #expect(try rows.value(Int.self, "SELECT count(*) FROM event") == 30)
    }
    #expect(try kept(log) == 31)
    #expect(try PostgresLog(place.base).append([EncodedEvent](), at: .now) == [])
    #expect(try kept(log) == 11)
  }

  @Test func `lost connections are replaced at the next use`() throws {
    let place = try PostgresPlace()
    let log = PostgresLog(place.base)
    for number in 0..<3 {
      try log.append(logs(number..<number + 1))
      try place.endSessions()
      #expect(try kept(log) == number + 1)
      try place.endSessions()
    }
  }

  @Test func `a commit whose answer is lost is looked up`() throws {
    let place = try PostgresPlace()
    let log = PostgresLog(place.base)
    try place.server.run(
      """
      CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER leaving AFTER UPDATE OF last ON eventLog
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION leave()
      """, in: place.name)
    for count in [1, 20] {
      let failure = #expect(throws: Failure.self) { try log.append(logs(0..<count)) }
      #expect(failure?.kind == .connect)
      #expect(try kept(log) == 0)
    }
    try place.server.run("DROP TRIGGER leaving ON eventLog", in: place.name)
    #expect(EventPosition(try log.append(logs(0..<1))[0])?.sequence == 1)
  }

  @Test func `records and events do not wake each other's readers`() throws {
    let place = try PostgresPlace()
    let log = PostgresLog(place.base)
    let mayHaveChanged = try place.base.wakeUp(Interruption())
    let wakeUp = try log.wakeUp(Interruption())
    try place.add("a")
    #expect(try mayHaveChanged(600_000))
    #expect(try !wakeUp.mayHaveMore(within: 1500))
    try log.append(logs(0..<1))
    #expect(try wakeUp.mayHaveMore(within: 600_000))
    #expect(try !mayHaveChanged(1500))
  }

  @Test func `a transaction of records does not delay an append`() throws {
    let place = try PostgresPlace()
    let log = PostgresLog(place.base)
    _ = try place.base.write { rows in
      try PostgresPlace.add("a", in: rows)
      #expect(try log.append(logs(0..<20)).count == 20)
    }
    #expect(try kept(log) == 20)
  }

  @Test func `a hub's role appends and drops partitions, and cannot change events`() throws {
    let place = try PostgresPlace()
    let role = "log\(place.name)"
    try place.server.run("CREATE ROLE \(role) LOGIN")
    try PostgresSchema.migrate(place.server.address(of: place.name), granting: role)
    try place.server.run("UPDATE eventLog SET span = 10", in: place.name)
    let base = try PostgresBase(place.server.address(of: place.name, user: role))
    let log = PostgresLog(base)
    let ids = try log.append(logs(0..<35))
    try log.apply(bounds(count: 10), processedUpTo: ids.last)
    try log.append(logs(35..<36))
    #expect(try kept(log) == 16)
    for statement in [
      "UPDATE event SET record = '{}'", "DELETE FROM event", "TRUNCATE event", "DROP TABLE event",
      "UPDATE eventLog SET epoch = 'x'", "DELETE FROM eventPart", "DELETE FROM event_31",
    ] {
      #expect(throws: Failure.self) { try base.write { try $0.run(statement) } }
    }
    // The newest event is never dropped.
    _ = try base.write { try $0.run("SELECT dropEventParts(1000)") }
    #expect(try kept(log) == 6)
  }
}
