import Core
import Testing

@testable import Display

/// What a person watches on a whole terminal.
@Suite struct WatchViewTests {
  private static let now = Timestamp(milliseconds: 1_772_013_600_000)

  private func overview(agents: Int, gates: Int = 0) -> Overview {
    Overview(
      summaryCards: SummaryCards(contextRisk: nil, skillFailureRate: nil, swarmHealth: nil),
      activeIncidents: [], activeSwarms: [],
      activeSessions: (0..<agents).map {
        Agent(id: "agent-\($0)", status: .running, updatedAt: Self.now, events: 1)
      },
      pendingGates: (0..<gates).map {
        ApprovalGate(
          ts: 1, gateId: "gate-\($0)", status: .pending, summary: "Go \($0)?", requestedAt: Self.now
        )
      }, updatedAt: nil)
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
