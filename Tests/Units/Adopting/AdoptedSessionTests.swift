import CodingAgents
import Core
import Events
import Foundation
import TestSupport
import Testing

@testable import Adopting

/// The events of sessions.
struct AdoptedSessionTests {
  private static let key = SessionKey(.claude, "s")
  private let start = Timestamp(milliseconds: 1_772_013_600_000)
  private let now = Timestamp(milliseconds: 1_772_100_000_000)

  private func at(_ seconds: Double) -> Timestamp { start.adding(seconds: seconds) }

  private func entry(
    _ content: SessionEntry.Content, _ seconds: Double, subagent: String? = nil,
    isCopy: Bool = false
  ) -> SessionEntry {
    SessionEntry(
      SessionKey(.claude, "s", subagent: subagent), content, at: at(seconds), isCopy: isCopy)
  }

  private func answer(_ id: String, tool: String? = nil, ends: Bool = false) -> SessionEntry.Content
  {
    var answer = SessionAnswer(id: id)
    answer.toolCalls = tool.map { [SessionToolCall(id: $0, name: "Bash")] } ?? []
    answer.stopReason = ends ? "end_turn" : nil
    return .answer(answer)
  }

  private func call(
    _ id: String, _ input: Int, _ output: Int, costUSD cost: Double = 0.5
  ) -> SessionEntry.Content {
    .call(
      SessionCall(
        id: id, answer: id, model: "m",
        usage: Usage(inputTokens: input, outputTokens: output), costUSD: cost))
  }

  /// Returns the events of entries in a run; the state is stored after each entry.
  private func events(
    _ entries: [SessionEntry], _ session: inout AdoptedSession
  ) throws -> [String] {
    var found: [any Event] = []
    if session.run == nil {
      found += session.begin(at: entries.first?.at ?? start, heartbeat: nil, process: "none")
    }
    for entry in entries {
      found += session.fold(entry, at: now, reporting: true)
      session = try JSONDecoder().decode(
        AdoptedSession.self, from: JSONEncoder().encode(session))
    }
    return EventWords.of(found)
  }

  @Test func `a turn becomes spans of calls and tools, without text`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    let entries = [
      entry(.prompt(SessionPrompt(text: "secret")), 0),
      entry(answer("a", tool: "t1"), 1), entry(call("a", 10, 2), 1),
      entry(call("a", 10, 7), 2),
      entry(.result(SessionResult(call: "t1", text: "secret", isError: true)), 3),
      entry(answer("b", ends: true), 4), entry(call("b", 20, 3), 4),
      entry(.turn(.ended), 5),
    ]
    #expect(
      try events(entries, &session) == [
        "invoke_agent start", "info a prompt", "execute_tool start Bash", "chat start",
        "chat end 10+7", "execute_tool end Bash _OTHER", "chat end 20+3",
      ])
    #expect(try events(entries, &session) == [])
    let end = session.end(.finished, at: at(9))
    #expect(EventWords.of(end) == ["invoke_agent end finished"])
    let record = session.record(process: "certain", at: now)
    #expect(record.id == "claude-s" && record.status == .finished)
    #expect(record.usage?.inputTokens == 30 && record.usage?.outputTokens == 10)
    #expect(record.costUSD == 1 && record.labels == ["process": "certain"])
  }

  @Test func `a call that grows after its report is reported with the increase`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    let first = [entry(call("a", 10, 2), 1), entry(.turn(.ended), 2)]
    #expect(
      try events(first, &session) == ["invoke_agent start", "chat start", "chat end 10+2"])
    let later = [entry(call("a", 10, 9), 3), entry(.turn(.ended), 4)]
    #expect(try events(later, &session) == ["chat end 0+7 increase"])
    #expect(try events(first + later, &session) == [])
    let dearer = [entry(call("a", 10, 9, costUSD: 0.75), 5), entry(.turn(.ended), 6)]
    #expect(try events(dearer, &session) == ["chat end 0+0 increase"])
    #expect(session.record(process: nil, at: now).costUSD == 0.75)
  }

  @Test func `a call without tokens is reported when it has some, or with its end`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    let blank = call("a", 0, 0, costUSD: 0)
    let begun = [
      entry(answer("a", tool: "t1"), 1), entry(blank, 1),
      entry(.result(SessionResult(call: "t1", text: "", isError: false)), 2), entry(blank, 3),
    ]
    #expect(
      try events(begun, &session) == [
        "invoke_agent start", "execute_tool start Bash", "chat start", "execute_tool end Bash",
      ])
    #expect(!session.hasOpenCalls && session.closeCalls().isEmpty)
    let whole = [entry(answer("a", ends: true), 1), entry(call("a", 10, 2), 1)]
    #expect(try events(whole, &session) == ["chat end 10+2"])
    #expect(
      try events([entry(answer("b", ends: true), 4), entry(call("b", 0, 0), 4)], &session)
        == ["chat end 0+0"])
  }

  @Test func `a quiet session reports its open call`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    _ = try events([entry(call("a", 10, 2), 1)], &session)
    #expect(session.hasOpenCalls)
    #expect(EventWords.of(session.closeCalls()) == ["chat end 10+2"])
    #expect(!session.hasOpenCalls && session.closeCalls().isEmpty)
  }

  @Test func `a call that is whole only after the end of its run belongs to that run`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    _ = try events([entry(answer("a"), 1), entry(call("a", 0, 0, costUSD: 0), 1)], &session)
    #expect(EventWords.of(session.end(.finished, at: at(3))) == ["invoke_agent end finished"])
    #expect(!session.isNewer(at(1)) && !session.isNewer(at(3)) && session.isNewer(at(4)))
    var late: [any Event] = []
    for content in [answer("a", ends: true), call("a", 10, 2)] {
      late += session.fold(entry(content, 1), at: now, reporting: true)
    }
    #expect(EventWords.of(late) == ["chat end 10+2", "invoke_agent end finished"])
    #expect(session.record(process: nil, at: now).usage?.inputTokens == 10)
    #expect(session.fold(entry(call("a", 10, 2), 1), at: now, reporting: true).isEmpty)
    #expect(try events([entry(call("b", 1, 1), 4)], &session).first == "invoke_agent start")
  }

  @Test func `without a process that was seen, only a long silence ends a session`() throws {
    func hasEnded(after seconds: Double, tool: String?, process: String = "none") throws -> Bool {
      var session = AdoptedSession(Self.key, swarm: nil)
      _ = try events([entry(answer("a", tool: tool), 1)], &session)
      _ = session.set(.running, isHeartbeat: false, at: now, process: process)
      return session.hasEnded(at: at(1 + seconds))
    }
    #expect(try !hasEnded(after: 300, tool: nil) && hasEnded(after: 900, tool: nil))
    #expect(try !hasEnded(after: 900, tool: "t") && hasEnded(after: 4000, tool: "t"))
    #expect(try hasEnded(after: 3, tool: "t", process: "guess"))
  }

  @Test func `a subagent has its own conversation, and its replays count nothing`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    let entries = [
      entry(call("a", 10, 2), 1), entry(.turn(.ended), 1),
      entry(call("a", 9000, 2), 2, subagent: "x"), entry(call("b", 5, 1), 3, subagent: "x"),
      entry(.turn(.ended), 4, subagent: "x"),
    ]
    #expect(
      try events(entries, &session) == [
        "invoke_agent start", "chat start", "chat end 10+2", "chat start s.x", "chat end 5+1 s.x",
      ])
  }

  @Test func `copies and old entries are not reported, and old calls not again`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    #expect(session.fold(entry(call("old", 1, 1), 0), at: now, reporting: false).isEmpty)
    #expect(
      try events([entry(call("copy", 1, 1), 1, isCopy: true)], &session) == ["invoke_agent start"])
    #expect(
      try events([entry(call("old", 1, 1), 2), entry(call("new", 3, 1), 3)], &session)
        == ["chat start"])
  }

  @Test func `an old entry keeps a recent call open`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    _ = try events([entry(call("a", 10, 2), 5)], &session)
    let old = entry(call("b", 1, 1), 1, subagent: "x")
    #expect(session.fold(old, at: now, reporting: false).isEmpty)
    #expect(session.hasOpenCalls)
    #expect(EventWords.of(session.closeCalls()) == ["chat end 10+2"])
    let mark = AdoptedSession.mark(ofCall: "a", by: .claude)
    #expect(session.seen.contains(mark))
    #expect(mark != AdoptedSession.mark(ofCall: "a", by: .gemini))
  }

  @Test func `open tools end as unfinished with their run, and a later entry begins another`()
    throws
  {
    var session = AdoptedSession(Self.key, swarm: "given")
    _ = try events([entry(answer("a", tool: "t1"), 1)], &session)
    #expect(session.openTools == ["Bash"])
    #expect(
      EventWords.of(session.end(.terminated, at: at(2))) == [
        "execute_tool end Bash unfinished", "invoke_agent end terminated",
      ])
    #expect(session.end(.finished, at: at(3)).isEmpty)
    #expect(
      try events([entry(call("b", 1, 1), 4)], &session) == ["invoke_agent start", "chat start"])
    #expect(session.run?.swarmId == "given" && session.run?.startedAt == at(4))
  }

  @Test func `a status is reported when it changes, and with each heartbeat`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    _ = session.begin(at: start, heartbeat: 15, process: "certain")
    func set(_ status: AgentStatus, beats: Bool = false) -> [String] {
      EventWords.of(session.set(status, isHeartbeat: beats, at: now, process: "certain"))
    }
    #expect(set(.running) == [])
    #expect(set(.waiting) == ["invoke_agent progress waiting"])
    #expect(set(.waiting) == [])
    #expect(set(.waiting, beats: true) == ["invoke_agent progress waiting"])
    #expect(set(.running) == ["invoke_agent progress running"])
    let other = session.set(.running, isHeartbeat: false, at: now, process: "guess")
    #expect(EventWords.of(other) == ["invoke_agent progress running"])
    let beats = session.set(.running, isHeartbeat: true, at: now, process: "certain")
    let intervals = (other + beats).compactMap { event -> JSONValue? in
      (event as? TraceEvent)?.attrs[EventAttribute.heartbeatMilliseconds.rawValue]
    }
    #expect(intervals == [.int(15_000)])
  }

  @Test func `a session under agent-run reports nothing`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    session.isReportedElsewhere = true
    #expect(try events([entry(call("a", 1, 1), 1), entry(.turn(.ended), 2)], &session) == [])
    #expect(session.end(.finished, at: now).isEmpty)
  }

  @Test func `a session that agent-run reports leaves its open calls to it`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    _ = try events([entry(call("a", 10, 2), 1)], &session)
    #expect(EventWords.of(session.handOver(at: at(1))) == ["invoke_agent end finished"])
    #expect(session.isReportedElsewhere && session.run == nil && !session.hasOpenCalls)
    #expect(session.fold(entry(call("a", 10, 9), 1), at: now, reporting: true).isEmpty)
    #expect(session.closeCalls().isEmpty)
  }

  // MARK: Calls that no entry reports

  private func facts(from origin: String? = nil) -> SessionEntry {
    var facts = SessionFacts()
    (facts.statesTotals, facts.forkedFrom) = (true, origin)
    return entry(.facts(facts), 0)
  }

  private func total(_ input: Int, _ output: Int, _ cost: Double?) -> SessionEntry.Content {
    .total(
      SessionTotal([
        "m": SessionTotal.Sum(
          Usage(inputTokens: input, outputTokens: output), costUSD: cost)
      ]))
  }

  private func costs(_ session: AdoptedSession) -> [Double?] {
    let record = session.record(process: nil, at: now)
    return [record.costUSD, record.knownCostUSD]
  }

  @Test func `until a program states its sums, a part of the cost is unknown`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    _ = session.fold(facts(), at: now, reporting: true)
    #expect(
      try events([entry(call("a", 10, 2), 1), entry(.turn(.ended), 2)], &session) == [
        "invoke_agent start", "chat end -1+-1 increase", "chat start", "chat end 10+2",
      ])
    #expect(costs(session) == [nil, 0.5])
    // Sums that the calls exceed are no sums of these calls.
    #expect(try events([entry(total(9, 5, 0.75), 2)], &session) == [])
    #expect(EventWords.of(session.end(.finished, at: at(3))) == ["invoke_agent end finished"])
    #expect(costs(session) == [nil, 0.5])
  }

  @Test func `what the stated sums have beyond the calls is reported as calls beside them`() throws
  {
    var session = AdoptedSession(Self.key, swarm: nil)
    _ = session.fold(facts(), at: now, reporting: true)
    _ = try events([entry(call("a", 10, 2), 1), entry(total(17, 5, 0.75), 1)], &session)
    // The file of a subagent is read later than that of the session.
    _ = try events([entry(call("b", 4, 1, costUSD: 0.125), 0.5, subagent: "x")], &session)
    #expect(session.hasEnded(at: at(2)))
    #expect(
      EventWords.of(session.end(.finished, at: at(2))) == [
        "chat end 4+1 s.x", "chat end 3+2 increase", "invoke_agent end finished",
      ])
    #expect(costs(session) == [0.75, nil])
    // The next process states the sums of both.
    #expect(
      try events([entry(call("c", 20, 1), 5), entry(total(38, 7, 1.5), 5)], &session)
        == ["invoke_agent start", "chat end -1+-1 increase", "chat start", "chat end 20+1"])
    #expect(costs(session) == [nil, 0.5])
    #expect(
      EventWords.of(session.end(.finished, at: at(6))) == [
        "chat end 1+1 increase", "invoke_agent end finished",
      ])
    #expect(costs(session) == [0.75, nil])
    // A file that is read again repeats its lines.
    _ = try events([entry(total(17, 5, 0.75), 5), entry(total(38, 7, 1.5), 5)], &session)
    #expect(session.end(.finished, at: at(7)).count == 1)
  }

  @Test func `a killed process, and sums without a cost, leave a part of the cost unknown`() throws
  {
    for isKilled in [true, false] {
      var session = AdoptedSession(Self.key, swarm: nil)
      _ = session.fold(facts(), at: now, reporting: true)
      _ = try events([entry(call("a", 10, 2), 1)], &session)
      if !isKilled { _ = try events([entry(total(11, 2, nil), 1)], &session) }
      #expect(session.end(.finished, at: at(2)).count == 2)
      #expect(costs(session) == [nil, 0.5])
    }
    var old = AdoptedSession(Self.key, swarm: nil)
    _ = try events([entry(call("a", 10, 2), 1), entry(.turn(.ended), 2)], &old)
    #expect(costs(old) == [0.5, nil])
  }

  @Test func `a fork begins with the sums of its parent, and counts its own calls`() throws {
    var parent = AdoptedSession(Self.key, swarm: nil)
    _ = parent.fold(facts(), at: now, reporting: true)
    _ = try events([entry(call("a", 10, 2), 1), entry(total(10, 2, 0.5), 1)], &parent)
    _ = parent.end(.finished, at: at(2))
    _ = try events([entry(call("b", 10, 2), 9), entry(total(20, 4, 1), 9)], &parent)
    for hasParent in [true, false] {
      var fork = AdoptedSession(SessionKey(.claude, "f"), swarm: nil)
      _ = fork.fold(facts(from: "s"), at: now, reporting: true)
      _ = try events([entry(call("c", 5, 1), 5), entry(total(16, 4, 1.25), 5)], &fork)
      if hasParent { fork.inherit(from: parent) }
      let end = EventWords.of(fork.end(.finished, at: at(6)))
      #expect(end.first == (hasParent ? "chat end 1+1 increase" : "invoke_agent end finished"))
      #expect(costs(fork) == (hasParent ? [0.75, nil] : [nil, 0.5]))
    }
  }

  @Test func `a call without known counts has an unknown cost`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    let unknown = SessionCall(id: "a", answer: "a", model: "claude-opus-4-6", usage: nil)
    #expect(
      try events([entry(.call(unknown), 1), entry(.turn(.ended), 2)], &session)
        == ["invoke_agent start", "chat start", "chat end -1+-1"])
    #expect(costs(session) == [nil, 0])
    var known = unknown
    known.usage = Usage(inputTokens: 1_000_000)
    let later = [entry(.call(known), 3), entry(.turn(.ended), 4)]
    #expect(try events(later, &session) == ["chat end 1000000+0 increase"])
    #expect(costs(session) == [10, nil])
  }

  @Test func `the same entries make events with the same source ids`() throws {
    func ids() -> [String?] {
      var session = AdoptedSession(Self.key, swarm: nil)
      var found = session.begin(at: start, heartbeat: nil, process: "none")
      for content in [call("a", 1, 1), answer("a", tool: "t"), .turn(.ended)] {
        found += session.fold(entry(content, 1), at: now, reporting: true)
      }
      return (found + session.end(.finished, at: at(2))).map { $0.srcId }
    }
    let first = ids()
    #expect(first == ids() && !first.contains(nil))
    #expect(Set(first).count == first.count)
  }

  @Test func `unknown entries are counted, and a hostile id is no agent`() throws {
    var session = AdoptedSession(Self.key, swarm: nil)
    for kind in ["x", "y", "x"] {
      _ = session.fold(entry(.unknown(kind), 1), at: now, reporting: true)
    }
    _ = session.fold(entry(.unreadable, 1), at: now, reporting: true)
    #expect(session.unknown == ["x": 2, "y": 1] && session.unreadable == 1)
    #expect(AdoptedSession.isPlausible("3f9a-1"))
    for id in ["", "a b", "a\u{1B}[2J", "a\nb", String(repeating: "x", count: 201)] {
      #expect(!AdoptedSession.isPlausible(id), "\(id)")
    }
  }
}
