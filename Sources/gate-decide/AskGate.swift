import ArgumentParser
import Command
import Core
import Events

struct AskGate: Tool {
  static let configuration = verbConfiguration(
    "ask", abstract: "Open a gate and wait for its decision")

  @Argument(help: "What is to be decided, in a sentence.")
  var summary: String
  @Option(help: ArgumentHelp("Why it is asked.", valueName: "text"))
  var why: String?
  @Option(help: ArgumentHelp("What follows from it.", valueName: "text"))
  var impact: String?
  @Option(help: ArgumentHelp("What may go wrong.", valueName: "text"))
  var risk: String?
  @Option(help: ArgumentHelp("What the asker would do.", valueName: "text"))
  var recommend: String?
  @Option(help: ArgumentHelp("Reject what nobody decided in time.", valueName: "time"))
  var timeout: Seconds?
  @Option(help: ArgumentHelp("The agent that waits.", valueName: "id"))
  var agent: String?
  @Option(help: ArgumentHelp("The swarm that waits.", valueName: "id"))
  var swarm: String?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard !summary.allSatisfy(\.isWhitespace) else {
      throw ValidationError("The summary must not be empty.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let store = try Store(session.directories)
    let now = Timestamp.now
    let context = GateContext(why: why, impact: impact, risk: risk, recommendedAction: recommend)
    var asked = ApprovalGate(
      ts: now.milliseconds, gateId: Identifier.make(), status: .pending, summary: summary,
      requestedAt: now)
    asked.expiresAt = timeout.map { now.adding(seconds: $0.value) }
    asked.requestedBy = LoginName.current
    asked.agentId = agent
    asked.swarmId = swarm
    asked.context = context == GateContext() ? nil : context
    let gate = try store.open(asked)
    let watch = GateWatch(store: store, directories: session.directories)
    let journal = EventJournal(session.directories) { session.diagnostics.say($0) }
    let decided: ApprovalGate?
    do throws(Failure) {
      journal.record([gate.event])
      try session.output.write(gate)
      decided = try await watch.decision(gateId: gate.gateId, seconds: nil)
    } catch {
      // Nobody waits any more: what is decided now would do nothing.
      try store.expire(gate: gate.gateId, reason: "who asked went away")
      if let gate = try store.gate(gate.gateId) {
        journal.record([gate.event])
        // The reader may be what went away.
        try? session.output.write(gate)
      }
      throw error
    }
    guard let decided else { return }
    journal.record([decided.event])
    try session.output.write(decided)
    guard decided.status != .approved else { return }
    let reason = try store.decisions(atGate: gate.gateId).first { $0.status == decided.status }?
      .reason
    throw Failure(
      .userRejected,
      "gate '\(gate.gateId)' is \(decided.status.rawValue)"
        + (reason.map { ": \($0)" } ?? ""),
      kind: decided.status == .expired ? "expired" : nil, input: gate.gateId)
  }
}
