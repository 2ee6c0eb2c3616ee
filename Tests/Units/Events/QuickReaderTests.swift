import Core
import Events
import TestSupport
import Testing

/// What is taken over quickly is what is read and encoded.
struct QuickReaderTests {
  /// Values that members may come with, most of them usual ones.
  private static let values: [(name: String, usual: [String], others: [String])] = [
    ("type", [#""log""#, #""traceEvent""#], [#""metric""#, #""lo\u0067""#, "1", "null"]),
    (
      "ts", ["1735300000000", "0"],
      ["01", "-5", "1.5", "1e3", #""5""#, "null", "9999999999999999"]
    ),
    ("agentId", [#""a1""#, #""é""#, #""a long name of one""#], ["null", "7", #""a\"1""#, "{}"]),
    ("level", [#""info""#, #""critical""#], [#""INFO""#, #""""#, "3", "null"]),
    (
      "message", [#""it works""#, #""💡 ok""#, #""""#, #""say \"no\"\t""#],
      [#""a\/b""#, #""\u000a""#, #""a\nb""#, "null", "[]", "true"]
    ),
    ("spanId", [#""00f067aa0ba902b7""#], ["null", "5"]),
    ("name", [#""execute_tool""#], ["null", "{}"]),
    (
      "attrs",
      [#"{"a":"b","n":12,"t":true,"f":false}"#, "{}", #"{ "a" : 1 }"#],
      [
        #"{"a":1.5}"#, #"{"a":null}"#, #"{"a":[1]}"#, #"{"a":{"b":1}}"#, #"{"a":1,"a":2}"#,
        #"{"é":1,"é":2}"#, #"{"a\t":1}"#, "null", "[]", #"{"a":-1}"#, #"{"a":01}"#,
      ]
    ),
    ("swarmId", [#""s1""#], ["null", "1"]), ("id", [#""7c1f-2""#], ["null", "1"]),
    ("host", [#""box-7.example""#], ["null", "1", #""a b""#, #""""#, #""b\u006fx""#]),
    ("srcId", [#""src-1""#], ["null", "1"]), ("incidentId", [#""i1""#], ["null", "false"]),
    ("sessionId", [#""c1""#], ["null", "{}"]), ("skillId", [#""Bash""#], ["null", "[]"]),
    ("traceId", [#""4bf92f3577b34da6""#], ["null", "1"]), ("parentSpanId", [#""00""#], ["null"]),
    ("cause", [#""it""#], ["null", "1"]),
    ("phase", [#""start""#, #""end""#], [#""begin""#, "null"]),
    ("count", ["3"], ["0", "-1", "1.0", "null", #""3""#]),
    ("labels", [#"{"k":"v"}"#, "{}"], [#"{"k":1}"#, "null", #"{"k":"v","k":"w"}"#]),
    ("other", [], [#""x""#, "1"]), ("agentI\\u0064", [], [#""a2""#]),
  ]
  private static let needed: Set = [
    "type", "ts", "agentId", "level", "message", "spanId", "name", "attrs",
  ]
  private static let ofLog: Set = ["level", "message", "count", "cause"]
  private static let ofTrace: Set = ["spanId", "name", "attrs", "traceId", "parentSpanId", "phase"]

  /// A line that is an event, or nearly.
  private static func line(_ random: inout SeededRandom) -> [UInt8] {
    var members: [String] = []
    let strange = random.chance(2) ? ofLog : ofTrace
    for (name, usual, others) in values {
      let isStrange = strange.contains(name)
      guard needed.contains(name) ? !random.chance(isStrange ? 1 : 60) : random.chance(4) else {
        continue
      }
      guard !isStrange || random.chance(60) else { continue }
      let isOdd = usual.isEmpty ? random.chance(6) : random.chance(40)
      guard isOdd || !usual.isEmpty else { continue }
      let value = random.one(of: isOdd ? others : usual, else: "1")
      members.append("\"\(name)\"\(space(&random)):\(space(&random))\(value)")
      if random.chance(100) { members.append("\"\(name)\":\(value)") }
    }
    if random.chance(2) { members.shuffle(using: &random) }
    let text = members.joined(separator: "\(space(&random)),\(space(&random))")
    var bytes = Array("\(space(&random)){\(text)}\(space(&random))".utf8)
    if random.chance(20), let index = bytes.indices.randomElement(using: &random) {
      let others = Array("{}[]\",:\\u01-.e \u{0}\t\n".utf8) + [0xC3, 0xFF]
      bytes[index] = random.one(of: others, else: 0)
    }
    return bytes
  }

  private static func space(_ random: inout SeededRandom) -> String {
    random.one(of: ["", "", "", "", "", " ", "\t", " \r "], else: "")
  }

  /// The event of a line, as the log is to have it, if it is read and encoded.
  private static func slowly(_ line: [UInt8], _ owner: String?) throws -> EncodedEvent? {
    let raw = try RawRecord(line: line)
    guard var event = try EventTypes.event(raw), event is Log || event is TraceEvent else {
      return nil
    }
    if let owner, let id = event.head.srcId { event.head.srcId = "\(owner)/\(id)" }
    return try EncodedEvent(event)
  }

  @Test(arguments: 0..<8)
  func `what is read quickly is the event that is read slowly`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var reader = QuickReader()
    var count = 0
    for _ in 0..<3000 {
      let line = Self.line(&random)
      let owner = random.one(of: [nil, "d1", "d\"2"], else: nil)
      guard let event = reader.event(line[...], ownedBy: owner) else { continue }
      count += 1
      let slow = try? Self.slowly(line, owner)
      #expect(event == slow, "\(String(decoding: line, as: UTF8.self))")
    }
    #expect(count > 300)
  }

  @Test(arguments: 0..<4)
  func `nothing hostile is read as what it is not`(seed: UInt64) throws {
    var lines = HostileLines(random: SeededRandom(seed: seed))
    var reader = QuickReader()
    for _ in 0..<5000 {
      let line = lines.line()
      guard let event = reader.event(line[...], ownedBy: nil) else { continue }
      let slow = try? Self.slowly(line, nil)
      #expect(event == slow, "\(String(decoding: line, as: UTF8.self))")
    }
  }

  @Test func `what agents write is read quickly`() throws {
    var log = Log(ts: 1_735_300_000_000, agentId: "linter", level: .warn, message: "é: slow")
    log.head.labels = ["k": "v"]
    log.head.srcId = "1"
    log.body.count = 2
    var reader = QuickReader()
    let read = reader.event(try log.line()[...], ownedBy: nil)
    #expect(try read == EncodedEvent(log))
    var event = TraceEvent(
      ts: 0, agentId: "linter", spanId: "s", name: "chat",
      attrs: ["agentpipes.duration_ms": .int(12), "a": .string("b"), "t": .bool(true)])
    event.body.phase = .end
    let other = reader.event(try event.line()[...], ownedBy: nil)
    #expect(try other == EncodedEvent(event))
  }

  @Test func `objects in objects without an end are left`() {
    let depth = 1_000_000
    let line = #"{"attrs":"# + String(repeating: #"{"a":"#, count: depth)
    var reader = QuickReader()
    let event = reader.event(Array(line.utf8)[...], ownedBy: nil)
    #expect(event == nil)
  }
}
