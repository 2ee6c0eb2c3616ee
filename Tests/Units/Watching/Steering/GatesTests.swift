import Core
import Events
import Foundation
import Requests
import Storage
import Synchronization
import TestSupport
import Testing
import Watching

/// What waits for a decision, asked and decided without a tool.
struct GatesTests {
  private let home: Home
  private let store: Store
  private let gates: Gates
  private let now = Timestamp(milliseconds: 1_772_013_600_000)

  init() throws {
    home = try Home()
    store = try Store(home.directories)
    gates = Gates(
      store: store, journal: EventJournal(home.directories) { Issue.record("\($0)") })
  }

  private func open(_ id: String = "g", expiresAfter seconds: Double? = nil) throws {
    var gate = ApprovalGate(
      ts: now.milliseconds, gateId: id, status: .pending, summary: "Deploy?", requestedAt: now)
    gate.expiresAt = seconds.map { now.adding(seconds: $0) }
    _ = try store.open(gate)
  }

  private func decide(
    _ decision: Decision, _ requestId: String, reason: String? = nil
  ) throws -> Gates.Verdict {
    try gates.decide(
      "g", decision, by: .init(id: requestId, actor: "ann", reason: reason),
      limits: ActionLimits(), at: now)
  }

  /// The states of gates that the log tells.
  private func told() throws -> [GateStatus] {
    try EventJournal(home.directories).read(after: nil, limit: 10).entries
      .map { try ApprovalGate(json: $0.line).status }
  }

  @Test func `a rejection says why, in 10 characters or more`() throws {
    try open()
    #expect(Gates.fault(ofReason: "  too  short! ") == nil)
    for reason in [nil, "", "too short", " too\n\n  shor "] {
      #expect(Gates.fault(ofReason: reason ?? "") != nil)
      #expect { try decide(.reject, "r", reason: reason) } throws: {
        ($0 as? Failure)?.code == .badInput
      }
    }
    // What was not even a request is in no audit, and decides nothing.
    #expect(try store.audit().isEmpty)
    #expect(try store.gate("g")?.status == .pending)
    let verdict = try decide(.reject, "r", reason: "it is wrong")
    #expect(verdict.receipt.status == .rejected && verdict.failure == nil)
    #expect(try told() == [.rejected])
  }

  @Test func `the first decision wins, and who comes later is told by whom`() throws {
    try open()
    #expect(try decide(.approve, "1").failure == nil)
    let again = try decide(.approve, "1")
    #expect(again.receipt.replayed && again.failure == nil)
    let late = try gates.decide(
      "g", .reject, by: .init(id: "2", actor: "bob", reason: "it is wrong"),
      limits: ActionLimits(), at: now)
    #expect(late.receipt.requestId == "1" && late.receipt.actor == "ann")
    #expect(late.failure?.code == .conflict)
    #expect(late.failure?.explanation == "gate 'g' is approved already, by ann")
    #expect(try told() == [.approved])
    #expect(try Gates.find("g", in: store, at: now)?.decisions.map(\.requestId) == ["1", "2"])
  }

  @Test func `a list knows the instant that it is asked at`() throws {
    try open("a", expiresAfter: 60)
    try open("b")
    let before = now.adding(seconds: 59.9)
    #expect(try Gates.list(store, withDecided: false, at: before).map(\.gateId) == ["a", "b"])
    let after = now.adding(seconds: 60)
    #expect(try Gates.list(store, withDecided: false, at: after).map(\.gateId) == ["b"])
    #expect(
      try Gates.list(store, withDecided: true, at: after).map(\.status) == [.expired, .pending])
    #expect(try Gates.find("none", in: store, at: after) == nil)
  }

  @Test func `who asks waits until somebody decides, and a no is a failure`() throws {
    for (decision, code) in [(Decision.approve, nil), (.reject, FailureCode.userRejected)] {
      var question = GateQuestion("Deploy?", by: "eve")
      question.context.risk = "ten minutes down"
      var shown: [ApprovalGate] = []
      var failure: Failure?
      do throws(Failure) {
        let report = try gates.decision(on: question, interruption: Interruption()) {
          (gate) throws(Failure) in
          shown.append(gate)
          guard gate.status == .pending else { return }
          _ = try gates.decide(
            gate.gateId, decision, by: .init(id: nil, actor: "ann", reason: "it is well so"),
            limits: ActionLimits(), at: .now)
        }
        #expect(!report.isUndecided && report.winner?.actor == "ann")
        if report.gate.status != .approved {
          failure = Gates.rejection(of: report.gate, report.decisions)
        }
      } catch {
        failure = error
      }
      #expect(shown.map(\.status) == [.pending, decision.outcome])
      #expect(shown.first?.context?.risk == "ten minutes down")
      #expect(shown.first?.requestedBy == "eve")
      #expect(failure?.code == code)
      if let failure { #expect(failure.explanation.hasSuffix("is rejected: it is well so")) }
    }
  }

  @Test func `a gate that nobody decides in time, or waits for any more, has expired`() throws {
    var question = GateQuestion("Deploy?", by: "eve")
    question.timeout = 0.05
    let report = try gates.decision(on: question, interruption: Interruption()) { _ in }
    #expect(report.isUndecided)
    let failure = Gates.rejection(of: report.gate, report.decisions)
    #expect(failure.code == .userRejected && failure.kind == "expired")
    question.timeout = nil
    let unread = #expect(throws: Failure.self) {
      _ = try gates.decision(on: question, interruption: Interruption()) { (_) throws(Failure) in
        throw Failure(.interrupted, "the reader went away")
      }
    }
    #expect(unread?.code == .interrupted)
    let known = try Gates.list(store, withDecided: true, at: .now)
    #expect(known.map(\.status) == [.expired, .expired])
    #expect(
      try store.decisions(atGate: known.last?.gateId ?? "").map(\.reason) == [
        "the asking process ended"
      ]
    )
  }

  @Test func `a decision after a withdrawal fails with its reason`() throws {
    try open()
    try gates.withdraw("g", because: GateReport.answered)
    let late = try decide(.approve, "1")
    #expect(late.receipt.status == .expired && late.failure?.code == .conflict)
    #expect(late.failure?.explanation == "gate 'g' is closed already: answered at the agent")
    #expect(try told() == [.expired])
    let report = GateReport(
      gate: try #require(try store.gate("g")), decisions: try store.decisions(atGate: "g"),
      result: nil)
    #expect(report.wasAnswered)
  }

  @Test func `a question that names its gate finds it again, and another question does not`() throws
  {
    var question = GateQuestion("Deploy?", by: "eve")
    question.gateId = "0f1e2d3c-4b5a-8978-a695-b4c3d2e1f009"
    let gate = try gates.open(question, at: now)
    #expect(gate.gateId == question.gateId)
    _ = try gates.decide(
      gate.gateId, .approve, by: .init(id: nil, actor: "ann", reason: nil), limits: ActionLimits(),
      at: now)
    #expect(try gates.open(question, at: now.adding(seconds: 5)).status == .approved)
    for change in [
      { $0.summary = "Deploy all?" }, { $0.requestedBy = "mallory" }, { $0.agentId = "other" },
      { $0.context.impact = "Everything" },
    ] as [(inout GateQuestion) -> Void] {
      var other = question
      change(&other)
      let failure = #expect(throws: Failure.self) { try gates.open(other, at: now) }
      #expect(failure?.code == .conflict)
    }
    #expect(try Gates.list(store, withDecided: true, at: now).count == 1)
  }
}
