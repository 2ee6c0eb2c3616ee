import Core
import Testing

@testable import Display

/// What a person watches on a whole terminal.
@Suite struct WatchViewTests {
  private static let now = Timestamp(milliseconds: 1_772_013_600_000)

  private func overview(agents: Int, gates: Int = 0) -> WatchedItems {
    WatchedItems(
      Overview(
        summaryCards: SummaryCards(contextRisk: nil, skillFailureRate: nil, swarmHealth: nil),
        activeIncidents: [], activeSwarms: [],
        activeSessions: (0..<agents).map {
          Agent(id: "agent-\($0)", status: .running, updatedAt: Self.now, events: 1)
        },
        pendingGates: (0..<gates).map {
          ApprovalGate(
            ts: 1, gateId: "gate-\($0)", status: .pending, summary: "Go \($0)?",
            requestedAt: Self.now
          )
        }, updatedAt: nil))
  }

  private func lines(_ view: inout WatchView, _ columns: Int, _ rows: Int) -> [String] {
    view.lines(
      RecordText(width: columns, now: Self.now), TerminalSize(columns: columns, rows: rows))
  }

  @Test func `what has no room is counted`() {
    var view = WatchView(overview(agents: 30, gates: 2))
    let lines = lines(&view, 60, 16)
    #expect(lines.count == 16)
    #expect(lines.contains { $0.contains("AGENTS (9 of 30)") })
    #expect(lines.count { $0.contains("pending") } == 2)
  }

  @Test(arguments: 3...30) func `the chosen row is on the screen, however small that is`(
    _ rows: Int
  ) {
    var view = WatchView(overview(agents: 30, gates: 3))
    for key in [Key.end, .home, .pageDown, .down, .up] {
      _ = view.press(key)
      let lines = lines(&view, 40, max(4, rows))
      #expect(lines.count == max(4, rows))
      #expect(lines.count { $0.hasPrefix("> ") } == 1)
      #expect(lines.allSatisfy { Cells.width($0) <= 40 })
    }
  }

  @Test func `no key acts on what came in the place of what is gone`() {
    var view = WatchView(overview(agents: 0, gates: 2))
    view.update(overview(agents: 1, gates: 1))
    #expect(view.press(.enter) == .open(.gate("gate-0")))
    view.update(overview(agents: 1, gates: 0))
    #expect(view.press(.character("p")) == nil)
    #expect(view.press(.enter) == nil)
    #expect(view.press(.down) == nil)
    #expect(view.press(.enter) == .open(.agent("agent-0")))
  }

  @Test func `who is in trouble stands first, and what agents did is drawn`() {
    let states: [AgentStatus] = [.running, .paused, .lost, .waiting, .error]
    let agents = states.map { Agent(id: "\($0) one", status: $0, updatedAt: Self.now, events: 1) }
    let overview = Overview(
      summaryCards: SummaryCards(contextRisk: nil, skillFailureRate: nil, swarmHealth: nil),
      activeIncidents: [], activeSwarms: [], activeSessions: agents, pendingGates: [],
      updatedAt: nil)
    var view = WatchView(WatchedItems(overview, activity: ["lost one": [0, 1, 3, 0]]))
    #expect(
      lines(&view, 60, 8) == [
        "5 agents · 0 swarms · nothing needs you         10:00:00 UTC",
        "  AGENTS       STATUS   EVENTS  ACTIVE",
        "> error one    error            just now                    ",
        "  lost one     lost      ▃▇     just now",
        "  waiting one  waiting          just now",
        "  paused one   paused           just now",
        "  running one  running          just now",
        "? help  q quit  enter open  p pause  c continue  t terminat…",
      ])
  }

  @Test func `columns stay where they are when other rows come into view`() {
    let agents = (0..<30).map { number in
      let id = number == 29 ? "an agent with a long name" : "a \(number)"
      return Agent(id: id, status: .running, updatedAt: Self.now, events: 1)
    }
    let overview = Overview(
      summaryCards: SummaryCards(contextRisk: nil, skillFailureRate: nil, swarmHealth: nil),
      activeIncidents: [], activeSwarms: [], activeSessions: agents, pendingGates: [],
      updatedAt: nil)
    var view = WatchView(WatchedItems(overview))
    let heading = lines(&view, 80, 12)[1]
    #expect(heading.contains("STATUS"))
    _ = view.press(.end)
    #expect(lines(&view, 80, 12)[1] == heading)
  }

  @Test func `what is open is told anew, where it was`() {
    var view = WatchView(overview(agents: 1))
    view.show(page: (1...50).map { "line \($0)" }, of: .agent("agent-0"))
    for _ in 0..<3 { #expect(view.press(.down) == nil) }
    view.show(page: (1...60).map { "line \($0) now" }, of: .agent("agent-0"))
    let lines = lines(&view, 60, 10)
    #expect(lines[1] == "line 4 now" && lines[8] == "line 11 now")
    #expect(lines[9] == "q back  j and k move  4-11 of 60")
    #expect(view.press(.character("q")) == nil && view.opened == nil)
  }

  @Test func `what is done is asked about, and a rejection needs a reason`() {
    var view = WatchView(overview(agents: 0, gates: 1))
    #expect(view.press(.character("a")) == nil)
    #expect(view.press(.enter) == .act(.approve, id: "gate-0", reason: ""))
    #expect(view.press(.character("r")) == nil)
    for character in "too short" { #expect(view.press(.character(character)) == nil) }
    #expect(view.press(.enter) == nil)
    #expect(
      lines(&view, 80, 10).last == "reject gate-0: why, in 10 characters or\u{2026}too short_")
    #expect(view.press(.character("!")) == nil)
    #expect(view.press(.enter) == .act(.reject, id: "gate-0", reason: "too short!"))
    #expect(view.press(.character("r")) == nil)
    #expect(view.press(.escape) == nil)
    #expect(view.press(.enter) == .open(.gate("gate-0")))
  }
}
