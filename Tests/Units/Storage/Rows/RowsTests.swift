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
        try rows.run(
          """
          CREATE TABLE word (
            id BIGINT PRIMARY KEY, text TEXT, size DOUBLE PRECISION, seal \(engine.blob))
          """)
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
        #expect(try rows.value(Int64.self, Self.echo("BIGINT"), [integer]) == integer)
      }
      for real in [0, 0.1, -1.5, Double.greatestFiniteMagnitude, .leastNonzeroMagnitude] {
        #expect(try rows.value(Double.self, Self.echo("DOUBLE PRECISION"), [real]) == real)
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
        #expect(try rows.value(Bool.self, Self.echo("BIGINT"), [flag]) == flag)
        #expect(try rows.value(Int.self, Self.echo("BIGINT"), [flag]) == (flag ? 1 : 0))
      }
      let none: String? = nil
      #expect(try rows.value(String?.self, Self.echo("TEXT"), [none]) == .some(.none))
      #expect(try rows.value(Int?.self, Self.echo("BIGINT"), [7 as Int?]) == 7)
    }
  }

  private static func echo(_ type: String) -> String { "SELECT CAST(? AS \(type))" }

  @Test(arguments: RecordEngine.allCases)
  func `a question mark in a literal, a name or a comment is no parameter`(
    _ engine: RecordEngine
  ) throws {
    let base = try Table(engine).base
    let statement = """
      SELECT '?', 'it''s ?', ? AS "why?" -- a comment?
      , /* another? */ ?
      """
    let found = try base.read { rows in
      try rows.first(statement, ["one", 2]) { row in
        try [row.value(at: 0, as: String.self), row.value(at: 1, as: String.self), row["why?"]]
      }
    }
    #expect(found == ["?", "it's ?", "one"])
  }

  @Test(arguments: RecordEngine.allCases)
  func `texts are sorted by their bytes, and no value comes last where a statement says so`(
    _ engine: RecordEngine
  ) throws {
    let base = try Table(engine).base
    try base.write { rows in
      for id in ["b", "B", "a-1", "a1", "ä", "_"] {
        try rows.run("INSERT INTO pairedHost (name, record) VALUES (?, '{}')", [id])
      }
      for (id, size) in [(1, 0.5), (2, nil), (3, 1.5)] as [(Int, Double?)] {
        try rows.run("INSERT INTO word (id, size) VALUES (?, ?)", [id, size])
      }
    }
    try base.read { rows in
      let names = try rows.values(String.self, "SELECT name FROM pairedHost ORDER BY name")
      #expect(names == ["B", "_", "a-1", "a1", "b", "ä"])
      let sorted = "SELECT id FROM word ORDER BY size DESC NULLS LAST"
      #expect(try rows.values(Int.self, sorted) == [3, 1, 2])
    }
  }

  @Test(arguments: RecordEngine.allCases)
  func `two bases that read and write at once lose no change`(
    _ engine: RecordEngine
  ) async throws {
    let table = try Table(engine)
    try table.add(1, "0")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        let base = try engine.base(in: table.home)
        group.addTask(executorPreference: OwnThreads()) {
          for _ in 0..<50 {
            try base.write { rows in
              let text = try rows.value(String.self, "SELECT text FROM word WHERE id = 1")
              let next = text.flatMap { Int($0) }.map { $0 + 1 }
              try rows.run("UPDATE word SET text = ? WHERE id = 1", [next.map { "\($0)" }])
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try table.words() == ["100"])
  }

  @Test(arguments: RecordEngine.allCases)
  func `a member of a record is a text, whatever else the record contains`(
    _ engine: RecordEngine
  ) throws {
    let base = try Table(engine).base
    let record = #"{"project":"a \"b\"","other":"\u0000","path":"c:\\u0000"}"#
    try base.write { rows in
      try rows.run(
        "INSERT INTO pipeline (id, status, record) VALUES ('p', 'completed', ?)", [record])
      for (name, value) in [("project", #"a "b""#), ("none", nil)] {
        let member = rows.dialect.member(name)
        #expect(try rows.value(String?.self, "SELECT \(member) FROM pipeline") == .some(value))
      }
    }
  }

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
    #expect(try mayHaveChanged(600_000))
    end.fire(signal: 15)
    let failure = #expect(throws: Failure.self) { while true { _ = try mayHaveChanged(-1) } }
    #expect(failure?.code == .interrupted)
  }
}
