import Core
import Foundation
import OTLP
import TestSupport
import Testing

/// From one of our logs to another: every event is as it was, but for its id.
struct ReturnTests {
  /// Sends events, and gives what comes back by the id that each had.
  private func returned(_ events: [any Event]) throws -> [String: any Event] {
    var writer = OTLPWriter(version: "1")
    var found: [String: any Event] = [:]
    for body in try writer.requests(for: events) {
      let received = try OTLPRequest(body.signal, .json, body: body.bytes).received()
      #expect(received.rejected == 0, "\(received.message)")
      #expect(received.items.count == body.count)
      for item in received.items { found[item.key] = item.event }
    }
    return found
  }

  private func check(_ events: [any Event]) throws {
    let found = try returned(events)
    #expect(found.count == events.count)
    for event in events {
      var same = event
      let id = try #require(same.head.id)
      same.head.id = nil
      #expect(try found["event:\(id)"]?.json() == same.json())
    }
  }

  @Test func `an event of each kind`() throws {
    try check(RandomEvents.examples)
  }

  @Test func `events of every form`() throws {
    var random = RandomEvents(seed: 16)
    for _ in 0..<60 { try check((0..<25).map { _ in random.next() }) }
  }

  @Test func `members that are not known, and values without a place in the protocol`() throws {
    let lines = [
      #"{"agentId":"a","attrs":{},"id":"1-1","name":"n","new":1.50,"spanId":"s","ts":1,"#
        + #""type":"traceEvent"}"#,
      #"{"agentId":"a","id":"1-2","labels":{},"level":"info","message":"m","ts":-1,"type":"log"}"#,
      #"{"id":"1-3","labels":{"":""},"name":"","scope":"swarm","ts":9223372036854775807,"#
        + #""type":"metric","value":-0.1}"#,
      #"{"actor":"x","id":"1-4","action":"pause","more":{"a":[null]},"outcome":"applied","#
        + #""reason":"because it is","requestId":"r","target":"agent","ts":3,"type":"control"}"#,
    ]
    try check([
      TraceEvent(RawRecord(line: Array(lines[0].utf8))), Log(RawRecord(line: Array(lines[1].utf8))),
      Metric(RawRecord(line: Array(lines[2].utf8))), Control(RawRecord(line: Array(lines[3].utf8))),
    ])
  }

  @Test func `attributes that are called as our members are`() throws {
    var event = TraceEvent(
      ts: 5, agentId: "a", spanId: "00f067aa0ba902b7", name: "n",
      attrs: [
        "agentpipes.event.srcId": .string("x"), "agentpipes.label.l": .string("y"),
        "gen_ai.conversation.id": .string("z"), "agentpipes.event": .string("w"),
      ])
    event.id = "1-1"
    event.phase = .end
    var other = event
    other.id = "1-2"
    other.phase = .start
    other.sessionId = "s"
    try check([event, other])
  }

  @Test func `a value that is nested too deeply for a message is sent as text`() throws {
    var value = JSONValue.int(1)
    for _ in 0..<80 { value = .array([value]) }
    var event = TraceEvent(
      ts: 5, agentId: "a", spanId: "00f067aa0ba902b7", name: "n", attrs: ["deep": value])
    event.id = "1-1"
    event.phase = .end
    try check([event])
  }

  @Test func `an event without an id has a key that stays`() throws {
    let log = Log(ts: 5, agentId: "a", level: .info, message: "m")
    let first = try returned([log, log])
    #expect(first.count == 2)
    #expect(try returned([log, log]).keys.sorted() == first.keys.sorted())
    #expect(first.values.allSatisfy { $0.head.srcId == nil })
  }

  @Test func `a name that is very long is not taken`() throws {
    let name = String(repeating: "a", count: 1_025)
    var writer = OTLPWriter()
    let log = Log(ts: 5, agentId: name, level: .info, message: "m")
    let body = try #require(try writer.requests(for: [log]).first)
    let received = try OTLPRequest(.logs, .json, body: body.bytes).received()
    #expect(received.items.isEmpty)
    #expect(
      received.message
        == "a log record is rejected: the name of an agent or swarm is too long")
  }

  @Test func `nothing is sent of nothing`() throws {
    var writer = OTLPWriter()
    #expect(try writer.requests(for: []).isEmpty)
    let log = Log(ts: 5, agentId: "a", level: .info, message: "m")
    #expect(try writer.requests(for: [log]).map(\.signal) == [.logs])
  }

  @Test func `what another backend reads`() throws {
    var start = TraceEvent(
      ts: 1_772_013_600_000, agentId: "linter", spanId: "00f067aa0ba902b7", name: "execute_tool",
      attrs: ["gen_ai.operation.name": .string("execute_tool"), "gen_ai.tool.name": .string("rg")])
    start.swarmId = "review"
    start.traceId = "0af7651916cd43dd8448eb211c80319c"
    start.phase = .start
    var end = start
    end.ts += 250
    end.phase = .end
    end.attrs["error.type"] = .string("exit_2")
    var writer = OTLPWriter(version: "1")
    let texts = try writer.requests(for: [start, end]).map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
    #expect(try texts == fixture("sent.ndjson").lines)
  }
}
