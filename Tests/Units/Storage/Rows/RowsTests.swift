import Core
import Storage
import TestSupport
import Testing

/// Statements and rows of a base, the same on each engine.
struct RowsTests {
  /// A base with a table of all types.
  private struct Table {
    let home: Home
    let base: any RecordBase

    init(_ engine: RecordEngine) throws {
      home = try Home()
      base = try engine.base(in: home)
      _ = try base.write { rows in
        try rows.run("CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT, size REAL, seal BLOB)")
      }
    }

    func add(_ id: Int, _ text: String?) throws {
      _ = try base.write { try $0.run("INSERT INTO word (id, text) VALUES (?, ?)", [id, text]) }
    }

    func words() throws -> [String?] {
      try base.read { try $0.values(String?.self, "SELECT text FROM word ORDER BY id") }
    }
  }

  @Test(arguments: RecordEngine.allCases)
  func `each type of value comes back as it was`(_ engine: RecordEngine) throws {
    let base = try Table(engine).base
    try base.write { rows in
      for integer in [0, 1, -1, Int64.max, Int64.min] {
        #expect(try rows.value(Int64.self, Self.echo("INTEGER"), [integer]) == integer)
      }
      for real in [0, 0.1, -1.5, Double.greatestFiniteMagnitude, .leastNonzeroMagnitude] {
        #expect(try rows.value(Double.self, Self.echo("REAL"), [real]) == real)
      }
      for text in ["", "a", "ä\u{1F600}", "e\u{301}", String(repeating: "long ", count: 10_000)] {
        let echo = try rows.value(String.self, Self.echo("TEXT"), [text])
        #expect(echo.map { Array($0.utf8) } == Array(text.utf8))
      }
      for bytes in [[], [0], [UInt8](0...255)] as [[UInt8]] {
        try rows.run("DELETE FROM word")
        try rows.run("INSERT INTO word (id, seal) VALUES (1, ?)", [bytes])
        #expect(try rows.value([UInt8].self, "SELECT seal FROM word") == bytes)
      }
      for flag in [true, false] {
        #expect(try rows.value(Bool.self, Self.echo("INTEGER"), [flag]) == flag)
        #expect(try rows.value(Int.self, Self.echo("INTEGER"), [flag]) == (flag ? 1 : 0))
      }
      let none: String? = nil
      #expect(try rows.value(String?.self, Self.echo("TEXT"), [none]) == .some(.none))
      #expect(try rows.value(Int?.self, Self.echo("INTEGER"), [7 as Int?]) == 7)
    }
  }

  private static func echo(_ type: String) -> String { "SELECT CAST(? AS \(type))" }

  @Test(arguments: RecordEngine.allCases)
  func `columns are read by name and by type`(_ engine: RecordEngine) throws {
    let table = try Table(engine)
    try table.add(1, "one")
    try table.add(2, nil)
    try table.base.read { rows in
      let found = try rows.all("SELECT id, text FROM word ORDER BY id") { row in
        "\(try row["id"] as Int) \(try row["text"] as String? ?? "-")"
      }
      #expect(found == ["1 one", "2 -"])
      for wrong in ["text", "id", "none"] {
        let failure = #expect(throws: Failure.self) {
          _ = try rows.first("SELECT id, text FROM word WHERE id = 2") { row in
            try row[wrong] as String
          }
        }
        #expect(failure?.code == .storageFailed)
      }
    }
  }

  @Test(arguments: RecordEngine.allCases)
  func `a statement tells how many rows it changed`(_ engine: RecordEngine) throws {
    let table = try Table(engine)
    for id in 1...3 { try table.add(id, "word \(id)") }
    try table.base.write { rows in
      #expect(try rows.run("UPDATE word SET text = ? WHERE id > ?", ["new", 1]) == 2)
      #expect(try rows.run("DELETE FROM word WHERE id = ?", [9]) == 0)
      let insert = "INSERT INTO word (id) VALUES (?) ON CONFLICT (id) DO NOTHING"
      #expect(try rows.run(insert, [3]) == 0)
      #expect(try rows.run(insert, [4]) == 1)
      let id = try rows.value(
        Int.self, "INSERT INTO word (id, text) VALUES (?, ?) RETURNING id", [8, "eight"])
      #expect(id == 8)
    }
    #expect(try table.words() == ["word 1", "new", "new", nil, "eight"])
  }

  @Test(arguments: RecordEngine.allCases)
  func `a transaction sees its own changes, and a failure takes them back`(
    _ engine: RecordEngine
  ) throws {
    let table = try Table(engine)
    try table.add(1, "kept")
    let failure = #expect(throws: Failure.self) {
      try table.base.write { rows in
        try rows.run("UPDATE word SET text = 'changed'")
        #expect(try rows.value(String.self, "SELECT text FROM word") == "changed")
        throw Failure(.conflict, "no")
      }
    }
    #expect(failure?.code == .conflict)
    #expect(try table.words() == ["kept"])
    let broken = #expect(throws: Failure.self) {
      try table.base.write { rows in
        try rows.run("UPDATE word SET text = 'changed'")
        try rows.run("INSERT INTO word (id) VALUES (1)")
      }
    }
    #expect(broken?.code == .storageFailed)
    #expect(try table.words() == ["kept"])
  }

  @Test(arguments: RecordEngine.allCases)
  func `rows come one by one, and other statements run meanwhile`(_ engine: RecordEngine) throws {
    let table = try Table(engine)
    for id in 1...3 { try table.add(id, "word") }
    var seen: [Int] = []
    try table.base.write { (rows) throws in
      let ids = "SELECT id FROM word ORDER BY id"
      #expect(throws: Failure.self) {
        try rows.forEach(ids, []) { row in
          let id = try row["id"] as Int
          seen.append(id)
          let text = try rows.value(String.self, "SELECT text FROM word WHERE id = ?", [id])
          #expect(text == "word")
          if id == 2 { throw Failure(.conflict, "enough") }
        }
      }
      // The statement that was left early starts anew.
      #expect(try rows.values(Int.self, ids) == [1, 2, 3])
      #expect(try rows.has(ids) && !rows.has("SELECT id FROM word WHERE id = ?", [9]))
    }
    #expect(seen == [1, 2])
  }

  @Test(arguments: RecordEngine.allCases)
  func `a record is kept as its line`(_ engine: RecordEngine) throws {
    let base = try Table(engine).base
    let goals = ["one", "two"].map { Goal(text: $0) }
    try base.write { rows in
      for (id, goal) in goals.enumerated() {
        try rows.run("INSERT INTO word (id, text) VALUES (?, ?)", [id, try goal.json()])
      }
    }
    try base.read { (rows) throws in
      let statement = "SELECT text AS record FROM word WHERE id >= ? ORDER BY id"
      #expect(try rows.records(Goal.self, statement, [0]) == goals)
      #expect(try rows.record(Goal.self, statement, [1]) == goals[1])
      #expect(try rows.record(Goal.self, statement, [2]) == nil)
    }
  }

  @Test(arguments: RecordEngine.allCases)
  func `the version changes with each change, by whomever`(_ engine: RecordEngine) throws {
    let table = try Table(engine)
    let other = try engine.base(in: table.home)
    func version() throws -> RecordVersion? { try table.base.read { try $0.version() } }
    var versions = [try version()]
    #expect(try versions[0] != nil && version() == versions[0])
    try table.add(1, "ours")
    versions.append(try version())
    _ = try other.write { try $0.run("UPDATE word SET text = 'theirs'") }
    versions.append(try version())
    for (earlier, later) in zip(versions, versions.dropFirst()) { #expect(earlier != later) }
    #expect(try version() == versions.last)
  }

  @Test(arguments: RecordEngine.allCases)
  func `a change wakes whoever waits, and an interruption ends the wait`(
    _ engine: RecordEngine
  ) throws {
    let table = try Table(engine)
    let end = Interruption()
    let mayHaveChanged = try table.base.wakeUp(end)
    _ = try engine.base(in: table.home).write { try $0.run("INSERT INTO word (id) VALUES (1)") }
    #expect(try mayHaveChanged(60_000))
    end.fire(signal: 15)
    let failure = #expect(throws: Failure.self) { while true { _ = try mayHaveChanged(-1) } }
    #expect(failure?.code == .interrupted)
  }
}
