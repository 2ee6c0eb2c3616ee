import ArgumentParser
import Command
import Core
import Events

@main
struct GateDecide: ToolGroup {
  static let configuration = toolConfiguration(
    "gate-decide", abstract: "Decide what runs wait for",
    discussion: """
      Examples:
        gate-decide list | jq -r '.gateId + " " + .summary'
        gate-decide approve 01933b1c-…
        gate-decide reject 01933b1c-… --reason 'the second source is wrong'
        gate-decide ask 'Deploy the fix?' --risk 'ten minutes down' && ./deploy
      """,
    subcommands: [
      ListGates.self, ShowGate.self, ApproveGate.self, RejectGate.self, AskGate.self,
    ])
}

struct ListGates: Tool {
  static let configuration = verbConfiguration("list", abstract: "List the gates that wait")

  @Flag(help: "List decided gates too.")
  var all = false
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    guard let store = try Store(forQuestionsInExisting: session.directories) else { return }
    try store.expireGates()
    for gate in try store.gates(status: all ? nil : .pending) { try session.output.write(gate) }
  }
}

struct ShowGate: Tool {
  static let configuration = verbConfiguration(
    "show", abstract: "Show a gate and every decision that was tried")

  @Argument(help: "The gate's id.")
  var id: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let store = try Store(forQuestionsInExisting: session.directories)
    try store?.expireGates()
    guard let store, let gate = try store.gate(id) else { throw .noGate(id) }
    try session.output.write(gate)
    for receipt in try store.decisions(atGate: id) { try session.output.write(receipt) }
  }
}

struct ApproveGate: Tool {
  static let configuration = verbConfiguration("approve", abstract: "Let a run go on")

  @Argument(help: "The gate's id.")
  var id: String
  @Option(help: "Why, for the audit.")
  var reason: String?
  @Option(help: ArgumentHelp("Names the request: repeated, it decides once.", valueName: "id"))
  var requestId: String?
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.decide(id, .approve, reason: reason, requestId: requestId)
  }
}

struct RejectGate: Tool {
  static let configuration = verbConfiguration("reject", abstract: "End a run")

  @Argument(help: "The gate's id.")
  var id: String
  @Option(help: "Why, at least 10 characters.")
  var reason: String
  @Option(help: ArgumentHelp("Names the request: repeated, it decides once.", valueName: "id"))
  var requestId: String?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard reason.isReason else {
      throw ValidationError("The reason must have at least 10 characters.")
    }
  }

  func run(_ session: Session) throws(Failure) {
    try session.decide(id, .reject, reason: reason, requestId: requestId)
  }
}

extension Session {
  /// Records a decision; of several the first wins.
  fileprivate func decide(
    _ id: String, _ decision: Decision, reason: String?, requestId: String?
  ) throws(Failure) {
    let store = try Store(directories)
    let result = try store.decide(
      gate: id, decision, reason: reason, actor: LoginName.current,
      requestId: requestId ?? Identifier.make(), limits: try configuration().limits)
    if let gate = try store.gate(id) {
      EventJournal(directories) { [diagnostics] in diagnostics.say($0) }.record([gate.event])
    }
    try output.write(result.receipt)
    guard !result.isWinner else { return }
    throw Failure(
      .conflict,
      "gate '\(id)' is \(result.receipt.status.rawValue) already, by \(result.receipt.actor)",
      input: id)
  }
}

extension Failure {
  fileprivate static func noGate(_ id: String) -> Failure {
    Failure(.notFound, "there is no gate '\(id)'", input: id)
  }
}
