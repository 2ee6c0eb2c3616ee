import Core
import Events
import Foundation
import Storage
import TestSupport
import Testing

@testable import Watching

/// What comes of agents that die, and of contexts whose size is told late.
struct AgentTroubleTests {
  private let home: Home
  private let log: EventJournal
  private let watcher: Watcher
  private let now: Int64 = 1_772_013_600_000

  init() throws {
    home = try Home()
    log = EventJournal(home.directories)
    watcher = Watcher(
      store: try Store(home.directories), journal: EventJournal(home.directories))
  }

  /// How everything stands once some events were logged.
  private func standing(after events: [any Event]) throws -> Standing {
    let instant = Timestamp(milliseconds: now)
    try log.append(events, at: instant)
    try watcher.catchUp(at: instant)
    return watcher.standing(at: instant)
  }

  private func said(_ message: String, agent: String, endOf run: String? = nil) -> Log {
    var log = Log(ts: now, agentId: agent, level: .error, message: message)
    log.swarmId = "s"
    log.srcId = run.map(AgentEnd.sourceId)
    return log
  }

  @Test func `each agent that dies is an incident and an alert, whatever its words`() throws {
    let words = "the command ended with status 3: no disk"
    let incidents = try standing(after: [
      said(words, agent: "a", endOf: "1"), said(words, agent: "b", endOf: "2"),
      said(words, agent: "a", endOf: "3"), said("no disk", agent: "a"),
    ]).incidents()
    #expect(
      Set(incidents.map { "\($0.agentId ?? "") \($0.count) \($0.summary)" }) == [
        "a 2 \(words)", "b 1 \(words)", "a 1 no disk",
      ])
    let alerts = try log.read(after: nil, limit: 100).entries
      .filter { $0.line.contains(#""type":"alert""#) }.map { try Alert(json: $0.line) }
    #expect(
      Set(alerts.map { "\($0.kind) \($0.severity) \($0.agentId ?? "") \($0.summary)" }) == [
        "incident error a \(words)", "incident error b \(words)",
      ])
  }

  @Test func `a crash is one incident, named by its last error, with its agent's end`()
    throws
  {
    var second = said("ValueError: b", agent: "a")
    second.cause = "\u{1B}[31mKeyError: 1"
    var end = said("the command ended with status 1: ValueError: b", agent: "a", endOf: "1")
    end.cause = "KeyError: 1"
    var other = said("the command ended with status 1: ValueError: b", agent: "b", endOf: "2")
    other.cause = "KeyError: 1"
    let incidents = try standing(after: [
      said("\u{1B}[31mKeyError: 1\u{1B}[0m", agent: "a"), second, end, other,
    ]).incidents()
    #expect(
      Set(incidents.map { "\($0.agentId ?? "") \($0.count) \($0.summary)" }) == [
        "a 1 ValueError: b", "b 1 the command ended with status 1: ValueError: b",
      ])
    let alerts = try log.read(after: nil, limit: 100).entries
      .filter { $0.line.contains(#""type":"alert""#) }.map { try Alert(json: $0.line) }
    #expect(Set(alerts.map { $0.summary }) == Set(incidents.map(\.summary)))
  }

  @Test func `a traceback in one message is an incident of its last line`() throws {
    let incidents = try standing(after: [
      said("Traceback (most recent call last):\n  File \"x\"\nValueError: x\n", agent: "a")
    ]).incidents()
    #expect(incidents.map(\.summary) == ["ValueError: x"])
  }

  @Test func `an incident that an earlier version kept is none of an agent that died`() throws {
    let kept = """
      {"id":"i","place":"s","fingerprint":"f","severity":"error","summary":"x","count":1,
      "createdAt":1,"updatedAt":1}
      """
    let incident = try JSONDecoder().decode(WatchedIncident.self, from: Data(kept.utf8))
    #expect(incident.isDeath == nil)
  }

  @Test func `what a run says last of its context's size holds for what was called before`() throws
  {
    func event(_ name: String, _ attrs: [String: JSONValue]) -> TraceEvent {
      TraceEvent(
        ts: now, agent: "a", swarm: "s", session: "c", span: name, .progress, name: name,
        attrs: attrs)
    }
    let chat = event(
      "chat",
      [
        "gen_ai.operation.name": .string("chat"), "gen_ai.usage.input_tokens": .int(900),
        "gen_ai.usage.output_tokens": .int(0),
      ])
    #expect(try standing(after: [chat]).contexts().map(\.maxTokens) == [nil])
    let size = event("invoke_agent", ["agentpipes.context.max_tokens": .int(1000)])
    let context = try #require(try standing(after: [size]).contexts().first)
    #expect(context.maxTokens == 1000 && context.warnings == ["nearCapacity"])
  }
}
