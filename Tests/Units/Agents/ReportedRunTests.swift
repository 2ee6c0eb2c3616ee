import CodingAgents
import Core
import TestSupport
import Testing

@testable import Agents

/// The times in which a run reports sessions.
struct ReportedRunTests {
  private let home: Home

  init() throws { home = try Home() }

  @Test func `a run goes on for half a minute at most, and ends now`() {
    let files = ReportedSessions(home.directories)
    let keys = ["a", "b"].map { SessionKey(.claude, $0) }
    let run = ReportedRun(home.directories)
    let began = Timestamp.now
    run.add([keys[0]])
    run.add([keys[0], keys[1]])
    let open = keys.flatMap { files.spans(of: $0) }
    #expect(open.count == 2 && open.allSatisfy { $0.from <= began && $0.to > began })
    #expect(open.allSatisfy { $0.to <= Timestamp.now.adding(seconds: 30) })
    run.end()
    let closed = keys.flatMap { files.spans(of: $0) }
    #expect(closed.map(\.from) == open.map(\.from) && closed.allSatisfy { $0.to <= .now })
  }
}
