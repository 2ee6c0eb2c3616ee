import Core
import Dispatch
import Foundation
import Storage
import TestSupport
import Testing

@testable import Postgres

/// Faults of connections and transactions, which SQLite does not have.
@Suite("bases in PostgreSQL", PostgresPlace.isInstalled)
struct PostgresBaseTests {
  @Test func `lost connections are replaced at the next use`() throws {
    let place = try PostgresPlace()
    try place.add("a")
    #expect(try place.names() == ["a"])
    try place.endSessions()
    try place.add("b")
    try place.endSessions()
    #expect(try place.names() == ["a", "b"])
  }

  @Test func `a connection that is lost in a transaction fails it, and nothing is stored`() throws {
    let place = try PostgresPlace()
    let failure = #expect(throws: Failure.self) {
      try place.base.write { rows in
        try PostgresPlace.add("a", in: rows)
        try place.endSessions()
        try PostgresPlace.add("b", in: rows)
      }
    }
    #expect(failure?.code == .storageFailed && failure?.kind == .connect)
    #expect(failure?.explanation.contains("\n") == false)
    #expect(try place.names() == [])
    try place.add("c")
    #expect(try place.names() == ["c"])
  }

  @Test func `a lost connection that is noticed late does not let statements run on their own`()
    throws
  {
    let place = try PostgresPlace()
    let failure = #expect(throws: Failure.self) {
      try place.base.write { rows in
        try place.endSessions()
        for name in ["a", "b"] { #expect((try? PostgresPlace.add(name, in: rows)) == nil) }
      }
    }
    #expect(failure?.kind == .connect)
    #expect(try place.names() == [])
  }

  @Test func `a commit that ends with the connection is known to have failed`() throws {
    let place = try PostgresPlace()
    try place.server.run(
      """
      CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER leaving AFTER INSERT ON pairedHost
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION leave()
      """, in: place.name)
    let failure = #expect(throws: Failure.self) { try place.add("a") }
    #expect(failure?.code == .storageFailed && failure?.kind == .connect)
    #expect(try place.names() == [])
  }

  @Test func `a commit whose answer is lost is known to have succeeded`() throws {
    let place = try PostgresPlace()
    let relay = try place.server.relay(losingAnswerTo: "; COMMIT")
    let base = try PostgresBase(PostgresAddress(place.server.url(of: place.name, over: relay)))
    try base.write { try PostgresPlace.add("a", in: $0) }
    #expect(try place.names() == ["a"])
    #expect(try base.read { try $0.has("SELECT 1 FROM pairedHost WHERE name = 'a'") })
  }

  @Test func `a duty is that of one base, until it loses its connection`() throws {
    let place = try PostgresPlace()
    let other = try place.another()
    #expect(try place.base.has(.folding))
    #expect(try !other.has(.folding))
    #expect(try other.has(.forwarding))
    #expect(try !place.base.has(.forwarding))
    for _ in 1...2 { #expect(try place.base.has(.folding)) }
    try place.endSessions()
    #expect(try other.has(.folding))
    #expect(try !place.base.has(.folding))
  }

  @Test func `an update waits for the older version to disconnect, and is not disturbed`() throws {
    let place = try PostgresPlace()
    let address = try place.server.address(of: place.name)
    try place.server.run("UPDATE schemaVersion SET version = 2", in: place.name)
    try place.server.run("DROP TABLE forwarded, commitMark", in: place.name)
    try place.server.run("ALTER TABLE companionGuess DROP COLUMN name", in: place.name)
    try place.server.run("ALTER TABLE runner DROP COLUMN number", in: place.name)
    try place.server.run("ALTER TABLE audit DROP COLUMN deviceId", in: place.name)
    let (waits, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Task.detached {
      defer { isDone.signal() }
      try PostgresSchema.migrate(address, granting: nil) { _ in waits.signal() }
    }
    waits.wait()
    // The base is open, so it reads. Another one is refused from now on.
    #expect(try place.names() == [])
    #expect(throws: Failure.self) { try PostgresBase(address) }
    try place.server.run(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(place.name)'"
        + " AND wait_event_type = 'Client' AND query NOT LIKE '%pg_try_advisory_lock(%'")
    isDone.wait()
    #expect(try place.names() == [])
    #expect(try PostgresBase(address).has(.folding))
  }

  @Test func `a transaction with a failed statement is not committed, though nobody throws`()
    throws
  {
    let place = try PostgresPlace()
    let failure = #expect(throws: Failure.self) {
      try place.base.write { rows in
        try PostgresPlace.add("a", in: rows)
        #expect((try? PostgresPlace.add("a", in: rows)) == nil)
      }
    }
    #expect(failure?.code == .storageFailed)
    #expect(try place.names() == [])
  }

  @Test func `U+0000 in a text is replaced, as it is when the text is looked for`() throws {
    let place = try PostgresPlace()
    try place.add("a\u{0}b")
    #expect(try place.names() == ["a\u{FFFD}b"])
    #expect(
      try place.base.read { try $0.has("SELECT 1 FROM pairedHost WHERE name = ?", ["a\u{0}b"]) })
  }

  @Test func `a read neither changes rows nor sees later commits`() throws {
    let place = try PostgresPlace()
    let other = try place.another()
    try place.base.read { (rows) throws in
      let count = "SELECT count(*) FROM pairedHost"
      #expect(try rows.value(Int.self, count) == 0)
      _ = try other.write { try PostgresPlace.add("a", in: $0) }
      #expect(try rows.value(Int.self, count) == 0)
    }
    let failure = #expect(throws: Failure.self) {
      try place.base.read { try PostgresPlace.add("b", in: $0) }
    }
    #expect(failure?.kind == .readOnly)
    #expect(try place.names() == ["a"])
  }

  @Test func `values of other types become those of SQLite`() throws {
    let place = try PostgresPlace()
    try place.base.read { (rows) throws in
      let sum = "SELECT sum(x::bigint) FROM (VALUES (1), (2)) AS t (x)"
      #expect(try rows.value(Int.self, sum) == 3)
      #expect(try rows.value(Double.self, "SELECT 1.5") == 1.5)
      #expect(try rows.value(Bool.self, "SELECT 1 = 1") == true)
      #expect(try rows.value(Int.self, "SELECT 7::smallint") == 7)
      #expect(try rows.value(Double.self, "SELECT 0.5::real") == 0.5)
      #expect(try rows.value(String.self, "SELECT 'a'::varchar") == "a")
      #expect(try rows.value([UInt8].self, "SELECT '\\x00ff10'::bytea") == [0, 255, 16])
      #expect(try rows.value(Int?.self, "SELECT NULL::bigint") == .some(.none))
    }
  }

  @Test func `a wait outlives its connection`() throws {
    let place = try PostgresPlace()
    let other = try place.another()
    let mayHaveChanged = try place.base.wakeUp(Interruption())
    try place.endSessions()
    _ = try other.write { try PostgresPlace.add("a", in: $0) }
    #expect(try mayHaveChanged(600_000))
    while try mayHaveChanged(1500) {}
    _ = try other.write { try PostgresPlace.add("b", in: $0) }
    #expect(try mayHaveChanged(600_000))
  }

  @Test func `each wait is woken, and a read or a rollback wakes none`() throws {
    let place = try PostgresPlace()
    let waits = try [place.base.wakeUp(Interruption()), place.base.wakeUp(Interruption())]
    _ = try place.names()
    try? place.base.write { rows in
      try PostgresPlace.add("a", in: rows)
      throw Failure(.conflict, "no")
    }
    for mayHaveChanged in waits { #expect(try !mayHaveChanged(1500)) }
    try place.add("a")
    for mayHaveChanged in waits { #expect(try mayHaveChanged(600_000)) }
  }

  @Test func `the time is the database's`() throws {
    let place = try PostgresPlace()
    #expect(abs(place.base.now.seconds(since: .now)) < 3600)
    try place.add("a")
    let server = try place.server.run("SELECT extract(epoch FROM clock_timestamp())")
    let now = Double(place.base.now.milliseconds) / 1000
    #expect(abs((Double(server) ?? 0) - now) < 3600)
  }

  @Test func `a server that cannot be reached is named without a user or a password`() throws {
    let home = try Home()
    let file = try home.file("pgpass", "*:*:*:*:sesame\n")
    let address = try PostgresAddress("postgresql://ann@127.0.0.1:1/agentpipes?passfile=\(file)")
    let failure = #expect(throws: Failure.self) { try PostgresBase(address) }
    #expect(failure?.code == .storageFailed && failure?.kind == .connect)
    #expect(failure?.explanation.hasPrefix("cannot use '127.0.0.1/agentpipes': ") == true)
    #expect(failure?.explanation.contains("sesame") == false)
    #expect(failure?.explanation.contains("ann@") == false)
    #expect(failure?.explanation.contains("\n") == false)
  }
}
