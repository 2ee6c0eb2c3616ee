import Core
import Events
import HubWords
import Requests
import Storage
import TestSupport
import Testing

@testable import Hub

/// Two hubs that share their records, and the agents that connect to them, on each engine.
struct RunnerDeskTests {
  /// A hub that listens nowhere.
  private struct Place {
    private let home: Home
    let desk: HubDesk
    let runners: RunnerDesk

    init(_ name: String, sharing base: any RecordBase, _ shared: Directories) throws {
      home = try Home()
      let records = HubRecords(sharing: base, .database(shared), holder: name)
      desk = try HubDesk(
        home.directories, records, ServeSettings(), limits: ActionLimits(), report: { _ in })
      runners = try RunnerDesk(desk, RunnerDesk.lock(home.directories))
    }
  }

  private let runner = Runner(agentId: "a", swarmId: "s", sessionId: "1")

  private func withHubs(
    _ engine: RecordEngine, _ body: (Place, Place) async throws -> Void
  ) async throws {
    let shared = try Home()
    let base = try engine.base(in: shared)
    let hubs = (
      try Place("a", sharing: base, shared.directories),
      try Place("b", sharing: base, shared.directories)
    )
    defer {
      hubs.0.runners.close()
      hubs.1.runners.close()
    }
    try await body(hubs.0, hubs.1)
  }

  /// The outcomes that the log has.
  private func logged(_ desk: HubDesk) throws -> [ControlOutcome] {
    try desk.journal.read(after: nil, limit: 10).entries.map { try Control(json: $0.line).outcome }
  }

  @Test(arguments: RecordEngine.allCases)
  func `an answer that a hub stored before it was killed is logged by the next one, once`(
    _ engine: RecordEngine
  ) async throws {
    try await withHubs(engine) { first, second in
      _ = try await first.runners.connect([runner], on: "d")
      let request = ControlRequest(
        requestId: "r", target: .agent, id: "a", action: .pause, reason: "because", actor: "ann")
      #expect(try first.desk.store.submit(request, standing: nil).outcome == .accepted)
      // The hub is killed before it logs the answer.
      _ = try first.desk.store.answer("r", of: runner, .applied)
      let answer = ControlAnswer(agentId: "a", sessionId: "1", outcome: .applied)
      for _ in 1...2 {
        let failure = await #expect(throws: Failure.self) {
          _ = try await second.runners.answer("r", answer, on: "d")
        }
        #expect(failure?.code == .notFound)
        #expect(try logged(second.desk) == [.applied])
      }
      _ = try await second.runners.connect([runner], on: "d")
      #expect(try await second.runners.answer("r", answer, on: "d").outcome == .applied)
      #expect(try logged(second.desk) == [.applied])
    }
  }

  @Test(arguments: RecordEngine.allCases)
  func `an agent moves between hubs and back, and only its last connection ends its lease`(
    _ engine: RecordEngine
  ) async throws {
    try await withHubs(engine) { first, second in
      let store = first.desk.store
      let one = try await first.runners.connect([runner], on: "d")
      let two = try await second.runners.connect([runner], on: "d")
      await first.runners.disconnect(one)
      #expect(try store.livingRunners().map(\.lock) == ["hub b"])
      let three = try await first.runners.connect([runner], on: "d")
      await second.runners.disconnect(two)
      #expect(try store.livingRunners().map(\.lock) == ["hub a"])
      var other = runner
      other.sessionId = "2"
      let failure = await #expect(throws: Failure.self) {
        _ = try await second.runners.connect([other], on: "d")
      }
      #expect(failure?.code == .conflict)
      await first.runners.disconnect(three)
      #expect(try store.livingRunners().isEmpty)
      _ = try await second.runners.connect([other], on: "d")
      #expect(try store.livingRunners().map(\.sessionId) == ["2"])
    }
  }

  @Test func `a lease whose connection failed is released`() async throws {
    try await withHubs(.sqlite) { first, _ in
      let store = first.desk.store
      var lost = runner
      lost.lock = "hub a"
      try store.register([lost])
      // The hub renews the lease, until it finds that nobody uses it.
      let changes = try store.base.wakeUp(Interruption())
      while try !store.livingRunners().isEmpty { _ = try changes(1000) }
    }
  }
}
