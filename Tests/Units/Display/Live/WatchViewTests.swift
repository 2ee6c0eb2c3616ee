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
        "5 agents · 0 swarms · 1 waits                   10:00:00 UTC",
        "  AGENTS       STATUS   EVENTS  ACTIVE",
        "> error one    error            just now                    ",
        "  lost one     lost      ▃▇     just now",
        "  waiting one  waiting          just now",
        "  paused one   paused           just now",
        "  running one  running          just now",
        "? help  q quit  enter open  p pause  c continue  t terminat…",
      ])
  }

  @Test func `gates and prompts of agents need a person, and count once`() {
    let causes: [(String, WaitCause?)] = [
      ("idle", .prompt), ("gated", .permission), ("asks", .question), ("limited", .limit),
      ("in a dialog", .permission), ("unknown", nil),
    ]
    var agents = causes.map { id, cause in
      var agent = Agent(id: "claude-\(id)", status: .waiting, updatedAt: Self.now, events: 1)
      agent.waitingFor = cause
      return agent
    }
    agents[4].name = "shop-59"
    var gate = ApprovalGate(
      ts: 1, gateId: "g", status: .pending, summary: "Go?", requestedAt: Self.now)
    gate.agentId = "claude-gated"
    let overview = Overview(
      summaryCards: SummaryCards(contextRisk: nil, skillFailureRate: nil, swarmHealth: nil),
      activeIncidents: incidents(2).overview.activeIncidents, activeSwarms: [],
      activeSessions: agents, pendingGates: [gate], updatedAt: nil)
    var view = WatchView(WatchedItems(overview))
    let lines = lines(&view, 80, 24)
    #expect(lines[0].hasPrefix("6 agents · 0 swarms · 3 need you · 2 incidents"))
    let rows = lines.drop { !$0.contains("AGENTS") }.prefix(5)
    #expect(rows.first?.contains("STATUS   FOR") == true)
    #expect(
      rows.dropFirst().map { $0.contains("permission") || $0.contains("question") }
        == [true, true, true, false])
    #expect(rows.contains { $0.hasPrefix("  shop-59 ") && $0.contains("permission") })
  }

  private func incidents(_ count: Int) -> WatchedItems {
    WatchedItems(
      Overview(
        summaryCards: SummaryCards(contextRisk: nil, skillFailureRate: nil, swarmHealth: nil),
        activeIncidents: (0..<count).map {
          Incident(
            id: "incident-\($0)", severity: .error,
            summary: "cannot open the file of part \($0) of the catalogue", agentId: "linter",
            count: $0 + 1, createdAt: Self.now, updatedAt: Self.now, status: .open)
        }, activeSwarms: [], activeSessions: [], pendingGates: [], updatedAt: nil))
  }

  @Test func `a heading takes no room from what the rows hold`() {
    var view = WatchView(incidents(19))
    let lines = lines(&view, 80, 16)
    #expect(lines[1].hasPrefix("  INCIDENTS (13 of 19)  WHAT"))
    #expect(lines[2].hasPrefix("> error  cannot open the file of part"))
    #expect(lines.allSatisfy { Cells.width($0) <= 80 })
    var narrow = WatchView(incidents(19))
    #expect(self.lines(&narrow, 20, 16).allSatisfy { Cells.width($0) <= 20 })
  }

  @Test func `rows are listed that hold some words, until escape`() {
    var view = WatchView(incidents(19))
    for key in [Key.character("/")] + "PART 1 cat".map({ Key.character($0) }) {
      #expect(view.press(key) == nil)
    }
    #expect(lines(&view, 80, 16).last == "/PART 1 cat_")
    #expect(view.press(.enter) == nil)
    let listed = lines(&view, 80, 24)
    #expect(listed.count { $0.contains("cannot open") } == 10)
    let head = "0 agents · 0 swarms · nothing needs you · 19 incidents · with 'PART 1 cat'"
    #expect(listed[0].hasPrefix(head))
    #expect(view.press(.enter) == .open(.incident("incident-1")))
    view.update(incidents(1))
    #expect(lines(&view, 80, 24)[2] == "  No row contains 'PART 1 cat'.")
    #expect(view.press(.escape) == nil)
    #expect(lines(&view, 80, 24).count { $0.contains("cannot open") } == 1)
  }

  @Test func `rows are sorted by a key`() {
    var view = WatchView(incidents(3))
    for _ in 0..<3 { #expect(view.press(.character("s")) == nil) }
    #expect(lines(&view, 80, 24)[0].contains("3 incidents · by errors"))
    #expect(view.press(.home) == nil)
    #expect(view.press(.enter) == .open(.incident("incident-2")))
  }

  @Test func `several incidents are closed at once, and opened again`() {
    var view = WatchView(incidents(4))
    #expect(view.press(.character("u")) == nil)
    #expect(lines(&view, 80, 24).last?.hasPrefix("nothing was closed here") == true)
    for key in "mmx" { #expect(view.press(.character(key)) == nil) }
    let asked = lines(&view, 80, 24)
    #expect(asked[0].contains("2 marked") && asked.count { $0.hasPrefix(" *error") } == 2)
    #expect(asked.last == "close 2 incidents: why? _")
    #expect(view.press(.character("x")) == nil)
    let ids = ["incident-0", "incident-1"]
    #expect(view.press(.enter) == .act(.close, ids: ids, reason: "x"))
    #expect(view.press(.character("u")) == nil)
    #expect(
      lines(&view, 80, 24).last == "reopen 2 incidents: enter confirms, escape cancels _")
    #expect(view.press(.enter) == .act(.reopen, ids: ids, reason: ""))
    for key in "Mx" { #expect(view.press(.character(key)) == nil) }
    #expect(lines(&view, 80, 24).last == "close 4 incidents: why? _")
    #expect(view.press(.escape) == nil)
    #expect(view.press(.escape) == nil)
    #expect(!lines(&view, 80, 24)[0].contains("marked"))
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
    #expect(view.press(.enter) == .act(.approve, ids: ["gate-0"], reason: ""))
    #expect(view.press(.character("r")) == nil)
    for character in "too short" { #expect(view.press(.character(character)) == nil) }
    #expect(view.press(.enter) == nil)
    #expect(
      lines(&view, 80, 10).last == "reject gate-0: reason, at least 10 char\u{2026}too short_")
    #expect(view.press(.character("!")) == nil)
    #expect(view.press(.enter) == .act(.reject, ids: ["gate-0"], reason: "too short!"))
    #expect(view.press(.character("r")) == nil)
    #expect(view.press(.escape) == nil)
    #expect(view.press(.enter) == .open(.gate("gate-0")))
  }
}
