import Foundation
import TestSupport
import Testing

@testable import Core
@testable import Events

struct FilterTests {
  private static let levels = #"({"debug":0,"info":1,"warn":2,"error":3,"critical":4}[.level]?)"#

  /// What is as grave as a level, in jq: a log by its level, a trace event as an error or as `info`, a
  /// metric as `info`, and what is never left out.
  private static func grave(_ level: Int) -> String {
    #"(if has("level") then \#(levels) // -1 | . >= \#(level)"#
      + #" elif .type == "traceEvent" then"#
      + #" (if ((.attrs | type) == "object" and .attrs["error.type"] != null) then 3 else 1 end) >= \#(level)"#
      + #" elif .type == "metric" then 1 >= \#(level) else (.type | . == "approvalGate" or . == "control""#
      + #" or . == "controlReceipt" or . == "decisionReceipt" or . == "gap" or . == "suppressed""#
      + #" or . == "alert" or . == "incident" or . == "error") end)"#
  }

  /// Filters, and the same in jq.
  static let cases: [(filter: EventFilter, condition: String)] = [
    (EventFilter(), "true"),
    (EventFilter { $0.level = .debug }, grave(0)),
    (EventFilter { $0.level = .warn }, grave(2)),
    (EventFilter { $0.level = .critical }, grave(4)),
    (EventFilter { $0.types = ["log"] }, #".type == "log""#),
    (
      EventFilter { $0.types = ["log", "traceEvent"] }, #".type == "log" or .type == "traceEvent""#
    ),
    (
      EventFilter { $0.agents = ["a1", "é", "a\u{0}1"] },
      #".agentId == "a1" or .agentId == "é" or .agentId == "a\u00001""#
    ),
    (EventFilter { $0.swarms = ["s1", ""] }, #".swarmId == "s1" or .swarmId == """#),
    (EventFilter { $0.skills = ["k1", "💡"] }, #".skillId == "k1" or .skillId == "💡""#),
    (
      EventFilter { $0.incidents = ["i1", "a\"1", "a\\1"] },
      #".incidentId == "i1" or .incidentId == "a\"1" or .incidentId == "a\\1""#
    ),
    (
      EventFilter { $0.since = Timestamp(milliseconds: 1_735_300_000_000) },
      #"(.ts | type) == "number" and .ts >= 1735300000000"#
    ),
    (
      EventFilter { $0.until = Timestamp(milliseconds: 1_735_300_000_000) },
      #"(.ts | type) == "number" and .ts <= 1735300000000"#
    ),
    (
      EventFilter {
        $0.level = .info
        $0.types = ["log", "error"]
        $0.since = Timestamp(milliseconds: 0)
      },
      #"(\#(grave(1))) and (.type == "log" or .type == "error")"#
        + #" and (.ts | type) == "number" and .ts >= 0"#
    ),
  ]

  @Test(arguments: cases.indices)
  func `jq has the same answer about thousands of hostile lines`(_ index: Int) throws {
    let (filter, condition) = Self.cases[index]
    var hostile = HostileLines(random: SeededRandom(seed: 100 + UInt64(index)))
    let lines = (0..<3000).map { _ in hostile.line() }
    let answer = try JQ.matching(condition, lines)
    let records = try numbers(lines)
    let found = try numbers(lines, filter)
    // jq also takes bytes that are not UTF-8, other JSON than records, and some that is none; jq 1.6
    // refuses half of a surrogate pair, which the grammar allows.
    let judged = records.filter { JSONString.withoutLoneSurrogates(lines[$0]) == nil }
    for number in judged where found.contains(number) != answer.contains(number) {
      Issue.record("not as jq: \(String(decoding: lines[number], as: UTF8.self).debugDescription)")
    }
    #expect(found.isSubset(of: records))
    #expect(found.count > 5)
    #expect(judged.count > 1000)
  }

  @Test func `every line is judged as Core's reader judges it, in the same words`() throws {
    var hostile = HostileLines(random: SeededRandom(seed: 1))
    let bytes = Array((0..<8000).map { _ in hostile.line() }.joined(separator: [0x0A]))
    let all = try outcome(Pieces([bytes]))
    let other = try expected(bytes)
    #expect(all.events == other.events)
    #expect(all.failures == other.failures)
    #expect(all.events.count > 2000)
    #expect(all.failures.count > 800)
  }

  @Test func `members that Core's reader decodes are the ones that are compared`() throws {
    var hostile = HostileLines(random: SeededRandom(seed: 2))
    let bytes = Array((0..<8000).map { _ in hostile.line() }.joined(separator: [0x0A]))
    let filter = EventFilter {
      $0.agents = ["a1", "a2", "error", "é", "💡", "a\"1"]
      $0.level = .info
    }
    let found = try outcome(Pieces([bytes]), filter)
    let other = try expected(bytes) { record in
      filter.agents.contains(record.string("agentId") ?? "-")
        && (record.json("level") == nil
          ? ["traceEvent", "metric", "approvalGate", "gap", "error"].contains(record.type)
          : ["info", "warn", "error", "critical"].contains(record.string("level") ?? "-"))
    }
    #expect(found == other)
    #expect(found.events.count > 50)
  }

  @Test(arguments: [1, 2, 3, 7, 64])
  func `bytes that come in pieces give the same`(_ size: Int) throws {
    var hostile = HostileLines(random: SeededRandom(seed: 3))
    let lines = (0..<1500).map { _ in hostile.line() }
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF] + lines.joined(separator: [0x0D, 0x0A])
    let filter = EventFilter { $0.level = .warn }
    let pieces = stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<min($0 + size, bytes.count)])
    }
    let whole = try outcome(Pieces([bytes]), filter)
    #expect(try outcome(Pieces(pieces), filter) == whole)
    #expect(whole.events.count > 10)
  }

  @Test(arguments: ["boom", "\\u0062oom", "\"level\"", "é", "x", "{\"type\":\"log\"", "}"])
  func `a text is looked for in the line as it came`(_ text: String) throws {
    let lines = [
      #"{"type":"log","message":"a boom"}"#, #"{"type":"log","message":"a \u0062oom"}"#,
      #"{"type":"log","level":"é"}"#, #"{"type":"x"}"#, #" {"type":"log" , "x":1}"#,
    ]
    let found = try outcome(lines.map { Array($0.utf8) }, EventFilter { $0.match = text })
    #expect(
      found.events.map { String(decoding: $0, as: UTF8.self) } == lines.filter { $0.contains(text) }
    )
  }

  @Test func `a text of random bytes is found where it is`() {
    var random = SeededRandom(seed: 4)
    for _ in 0..<5000 {
      let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        UInt8(ascii: random.chance(2) ? "a" : "b")
      }
      let wanted = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        UInt8(ascii: random.chance(2) ? "a" : "b")
      }
      let isFound = bytes.withUnsafeBufferPointer { ByteSearch(wanted).isFound(in: $0) }
      #expect(isFound == bytes.contains(sequence: wanted))
    }
  }

  @Test func `names are those of the members of events`() {
    for member in EventMember.allCases {
      let name = "\(member.name)"
      #expect(name == "\(member)")
      let found = Array((name + "\"").utf8).withUnsafeBufferPointer { bytes in
        bytes.baseAddress.flatMap { EventMember($0, length: bytes.count - 1) }
      }
      #expect(found == member)
    }
  }
}

extension [UInt8] {
  /// Whether some bytes occur.
  func contains(sequence wanted: [UInt8]) -> Bool {
    wanted.isEmpty || Data(self).range(of: Data(wanted)) != nil
  }
}
