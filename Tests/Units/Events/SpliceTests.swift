import Core
import TestSupport
import Testing

@testable import Events

/// Ids and source ids that are put into lines without decoding them.
struct SpliceTests {
  private static let texts = [
    "", "a", "é", "💡", "a\"b", "a\\b", "\"id\":\"x\"", "{\"id\":1}", "\n",
  ]

  private static func text(_ random: inout SeededRandom) -> String {
    random.one(of: texts, else: "") + random.one(of: texts, else: "")
  }

  private static func value(_ random: inout SeededRandom, depth: Int = 0) -> JSONValue {
    switch Int.random(in: 0..<(depth > 2 ? 4 : 6), using: &random) {
    case 0: .string(text(&random))
    case 1: .int(Int.random(in: -9...1_000_000, using: &random))
    case 2: .double(0.25)
    case 3: random.chance(2) ? .bool(true) : .null
    case 4: .array([value(&random, depth: depth + 1)])
    default: .object(["id": value(&random, depth: depth + 1), text(&random): .int(1)])
    }
  }

  private static func head(_ random: inout SeededRandom) -> EventHead {
    var head = EventHead(
      ts: Int64.random(in: 0...4_000_000_000_000, using: &random),
      swarmId: random.chance(2) ? text(&random) : nil, agentId: text(&random))
    head.id = random.chance(3) ? text(&random) : nil
    head.srcId = random.chance(2) ? text(&random) : nil
    head.host = random.chance(3) ? text(&random) : nil
    head.labels = random.chance(3) ? ["id": text(&random), text(&random): "x"] : nil
    return head
  }

  /// An event of any type that logs keep.
  private static func event(_ random: inout SeededRandom) -> any Event {
    let now = Timestamp(milliseconds: 1_772_013_600_000)
    let level = random.one(of: Log.Level.allCases, else: .info)
    var event: any Event
    switch Int.random(in: 0..<6, using: &random) {
    case 0: event = Log(ts: 0, agentId: "a", level: level, message: text(&random))
    case 1:
      event = TraceEvent(
        ts: 0, agentId: "a", spanId: "s", name: text(&random),
        attrs: ["id": value(&random), "x": value(&random)])
    case 2: event = Metric(ts: 0, scope: .agent, name: text(&random), value: 1.5)
    case 3:
      event = ApprovalGate(
        ts: 0, gateId: "g", status: random.chance(2) ? .pending : .approved,
        summary: text(&random), requestedAt: now)
    case 4: event = Alert(ts: 0, kind: .incident, severity: level, summary: text(&random))
    default:
      event = Control(
        ts: 0, requestId: "r", target: .agent, action: .pause,
        reason: text(&random), actor: "me", outcome: .applied)
    }
    event.head = head(&random)
    return event
  }

  private static func line(_ event: any Event) throws -> String {
    String(decoding: try event.line(), as: UTF8.self)
  }

  @Test(arguments: 0..<8)
  func `a stored line with its id is the event with that id`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<500 {
      var event = Self.event(&random)
      let stored = String(decoding: try EncodedEvent(event).line, as: UTF8.self)
      // Earlier versions wrote the id, or another one where a log was copied.
      let older = try Self.line(event)
      event.head.id = "1f0c88a2b3d4e5f6-120"
      let wanted = try Self.line(event)
      for line in [stored, older, wanted] {
        let entry = EventBatch.Entry(id: "1f0c88a2b3d4e5f6-120", stored: line, loggedAt: 0)
        #expect(entry.line == wanted, "\(line)")
      }
    }
  }

  @Test(arguments: 0..<8)
  func `a line that gets a source id is the event with that source id`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<500 {
      var event = Self.event(&random)
      let id = Self.text(&random)
      let named = try EncodedEvent(event).with(srcId: id)
      event.head.srcId = id
      #expect(try named == EncodedEvent(event))
    }
  }

  @Test(arguments: 0..<8)
  func `a line names the machine that sends it, or the first that sent it`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<500 {
      var event = Self.event(&random)
      let named = try EncodedEvent(event).with(host: "box")
      event.head.host = event.head.host ?? "box"
      #expect(try named == EncodedEvent(event))
    }
  }

  @Test(arguments: [
    #"{"id":"x","type":"log","id":"y"}"#, #"{"type":"log","id":"y"}"#, #"{"a":{"id":"z"},"b":1}"#,
    #"{"\u0069d":"x","type":"log"}"#, #"{"type":"log","\u0069d":"x"}"#, "{}", " { } ",
    #"{"id":{"id":"x"}}"#, #"{"id":null}"#, #"{ "id" : [1, "]"] , "z" : 2 }"#, #"{"z":1}"#,
    #"{"ic":1}"#, #"{"i":1,"idx":2}"#, #"{"a":"\"id\":\"x\"","zz":1}"#, #"{"a":"}","b":"{"}"#,
    #"{"id":"x","\u0069d":"y"}"#, #"{"i\\d":"x"}"#,
  ])
  func `a hostile line has the id afterwards, and all else as before`(line: String) throws {
    let spliced = EventBatch.Entry(id: "e-7", stored: line, loggedAt: 0).line
    let before = try #require(RawRecord(object: line))
    let after = try #require(RawRecord(object: spliced), "\(spliced)")
    #expect(after.string("id") == "e-7")
    for name in ["a", "b", "i", "ic", "idx", "type", "z", "zz", "i\\d"] {
      #expect(after.json(name) == before.json(name), "\(spliced)")
    }
    let again = EventBatch.Entry(id: "e-8", stored: spliced, loggedAt: 0).line
    #expect(RawRecord(object: again)?.string("id") == "e-8")
  }

  @Test(arguments: 0..<4)
  func `no line is harmed, however hostile`(seed: UInt64) {
    var lines = HostileLines(random: SeededRandom(seed: seed))
    for _ in 0..<3000 {
      let line = lines.line()
      let text = String(decoding: line, as: UTF8.self)
      let spliced = EventBatch.Entry(id: "e-7", stored: text, loggedAt: 0).line
      guard let before = RawRecord(object: text) else { continue }
      let after = RawRecord(object: spliced)
      #expect(after?.string("id") == "e-7", "\(text)")
      for name in ["type", "level", "ts", "agentId", "message", "attrs", "é", ""] {
        #expect(after?.json(name) == before.json(name), "\(text)")
      }
    }
  }

  @Test func `what members are needed is found once, and filters are told the same`() throws {
    var lines = HostileLines(random: SeededRandom(seed: 5))
    let all = (0..<3000).map { _ in lines.line() }
      .filter { $0.contains(UInt8(ascii: "{")) && (try? RawRecord(line: $0)) != nil }
    var filter = EventFilter()
    filter.level = .warn
    filter.agents = ["a1", "é"]
    let pack = EventPack(all.map { String(decoding: $0, as: UTF8.self) })
    var sieve = EventSieve(filter)
    let wanted = try numbers(all, filter)
    for (index, entry) in pack.entries.enumerated() {
      let isWanted = sieve.wants(entry, in: pack)
      #expect(isWanted == wanted.contains(index), "\(String(decoding: all[index], as: UTF8.self))")
    }
  }
}
