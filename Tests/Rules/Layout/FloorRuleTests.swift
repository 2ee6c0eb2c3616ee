import Testing

/// Made-up houses, each of which breaks the rule of floors in one way.
@Suite struct FloorRuleTests {
  /// A house of one module `M`, with the floors Low, then Left and Right beside each other, then
  /// High.
  private func found(_ files: [String: String], row: [String]? = nil) -> [String] {
    let base = [
      "Low/Stone.swift": "struct Stone { var weight = 1 }",
      "Left/Wall.swift": "struct Wall { var stones: [Stone] = [] }",
      "Right/Door.swift": "struct Door {}",
      "High/Roof.swift": "struct Roof { var walls: [Wall] = [] }",
    ]
    let all = base.merging(files) { $1 }.sorted { $0.key < $1.key }
    return FloorRule(["M": row ?? ["Low", "Left | Right", "High"]])
      .violations(among: all.map { SourceFile(path: "Sources/M/\($0.key)", text: $0.value) })
      .map(\.description)
  }

  @Test func `a module of more than twelve files needs folders`() {
    func files(_ count: Int, in folder: String) -> [SourceFile] {
      (0..<count).map { SourceFile(path: "Sources/\(folder)/F\($0).swift", text: "") }
    }
    #expect(FloorRule.flat(among: files(12, in: "M") + files(13, in: "N/Low")) == [])
    #expect(
      FloorRule.flat(among: files(13, in: "M")).map(\.description) == [
        "Sources/M: has 13 files and no folders"
      ])
  }

  @Test func `a house that keeps its floors is left alone`() {
    #expect(found(["House.swift": "let house = Roof()", "Low/B.swift": "let one = Stone()"]) == [])
  }

  @Test func `a type of a higher floor is found with its line and both floors`() {
    let text = "struct Sand {\n  func under() -> [Roof] { [] }\n}"
    #expect(
      found(["Low/Sand.swift": text]) == [
        "Sources/M/Low/Sand.swift:2: 'Roof' is of 'High', above 'Low'"
      ])
  }

  @Test func `a type of the floor's other folder is found`() {
    #expect(
      found(["Right/Hinge.swift": "let a = Wall()"]) == [
        "Sources/M/Right/Hinge.swift:1: 'Wall' is of 'Left', beside 'Right'"
      ])
  }

  @Test func `a file at the top is of the highest floor`() {
    #expect(
      found(["Key.swift": "enum Key {}", "High/Lock.swift": "let key: Key? = nil"]) == [
        "Sources/M/High/Lock.swift:1: 'Key' is of the door, above 'High'"
      ])
  }

  @Test func `a row may put the files at the top elsewhere`() {
    let files = ["Key.swift": "enum Key {}", "High/Lock.swift": "let key: Key? = nil"]
    #expect(found(files, row: [".", "Low", "Left | Right", "High"]) == [])
  }

  @Test func `a nested type is found behind its owner's name and within it`() {
    let files = [
      "High/Nested.swift": "extension Stone { enum Kind { case soft } }",
      "Low/A.swift": "func a() { _ = Stone.Kind.soft }",
      "Low/B.swift": "extension Stone { var kind: Kind { .soft } }",
      "Low/C.swift": "struct Other { enum Kind {}\n var kind: Kind? }",
    ]
    #expect(
      found(files) == [
        "Sources/M/Low/A.swift:1: 'Kind' is of 'High', above 'Low'",
        "Sources/M/Low/B.swift:1: 'Kind' is of 'High', above 'Low'",
      ])
  }

  @Test func `a function or variable of its own is found`() {
    let files = [
      "High/Free.swift": "func build() {}\nlet heaviest = 9",
      "Low/A.swift": "struct A { func run() { build() } }",
      "Low/B.swift": "let b = [1].map { $0 + heaviest }",
      "Low/C.swift": "func c(heaviest: Int) -> Int { let build = heaviest; return build }",
    ]
    #expect(
      found(files) == [
        "Sources/M/Low/A.swift:1: 'build' is of 'High', above 'Low'",
        "Sources/M/Low/B.swift:1: 'heaviest' is of 'High', above 'Low'",
      ])
  }

  @Test func `a member that an extension adds is found behind a dot and within its type`() {
    let files = [
      "High/Stone+Paint.swift":
        "extension Stone { func painted() {} }\nextension Int { var twice: Int { self } }",
      "Low/A.swift": "func a(stone: Stone) { stone.painted() }",
      "Low/B.swift": "extension Stone { func b() { painted() } }",
      "Low/C.swift": "let c = \"\\(1.twice)\"",
    ]
    #expect(
      found(files) == [
        "Sources/M/Low/A.swift:1: 'painted' is of 'High', above 'Low'",
        "Sources/M/Low/B.swift:1: 'painted' is of 'High', above 'Low'",
        "Sources/M/Low/C.swift:1: 'twice' is of 'High', above 'Low'",
      ])
  }

  @Test func `a member that others have too tells no floor`() {
    let files = [
      "High/Stone+Paint.swift": "extension Stone { func painted() {} }",
      "Left/Wall+Paint.swift": "extension Int { func painted() {} }",
      "Low/A.swift": "func a(stone: Stone) { stone.painted() }",
    ]
    #expect(found(files) == [])
  }

  @Test func `what no other file sees is nobody's name`() {
    let files = [
      "High/Hidden.swift":
        "private struct Nail {}\nfileprivate extension Int { var odd: Int { 1 } }",
      "Low/A.swift": "struct Nail { var a = 1.odd }",
      "Low/B.swift": "private enum Roof {}\nlet roof: Roof? = nil",
    ]
    #expect(found(files) == [])
  }

  @Test func `comments and strings name nothing`() {
    let text =
      "// Roof\n/* Wall /* Roof */ Wall */\nlet a = \"Roof\"\nlet b = #\"\\(Roof)\"#\n"
      + "let c = \"\"\"\n  \"Roof\" Wall\n  \"\"\"\n"
    #expect(found(["Low/A.swift": text]) == [])
    #expect(found(["Low/A.swift": "let a = \"\\(Roof())\""]).count == 1)
  }

  @Test func `a folder that the row does not name is found and so is a name without a folder`() {
    #expect(
      found([:], row: ["Low", "Left | Right", "Cellar"]) == [
        "Sources/M/High: stands on no floor of the table",
        "Sources/M: has no folder 'Cellar', which the table names",
      ])
  }

  @Test func `a module with folders and no row is found`() {
    let files = ["M/Low/A.swift", "N/Low/A.swift", "O/A.swift"].map {
      SourceFile(path: "Sources/\($0)", text: "")
    }
    #expect(
      FloorRule(["M": ["Low"]]).withoutRow(among: files).map(\.description) == [
        "Sources/N: has folders, and no row in the table of floors"
      ])
  }
}
