import ArgumentParser
import Command
import Core
import HubClient
import HubQuestions
import Watching

@main
struct GateDecide: ToolGroup {
  static let configuration = toolConfiguration(
    "gate-decide", abstract: "Approve or reject gates",
    discussion: """
      Examples:
        gate-decide list | jq -r '.gateId + " " + .summary'
        gate-decide approve 01933b1c-…
        gate-decide reject 01933b1c-… --reason 'the second source is wrong'
        gate-decide ask 'Deploy the fix?' --risk 'ten minutes down' && ./deploy
        gate-decide hook --setup claude
      """,
    subcommands: [
      ListGates.self, ShowGate.self, ApproveGate.self, RejectGate.self, AskGate.self,
      HookGate.self, ServeGates.self,
    ])
}

struct ListGates: Tool {
  static let configuration = verbConfiguration("list", abstract: "List waiting gates")

  @Flag(help: "Include decided gates.")
  var all = false
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let place = try Place(hub.hub, session)
    let gates = try await place.steer { (steerer) throws(Failure) in
      try steerer.gates(withDecided: all)
    }
    try session.write(gates.map(place.links().linked), from: place.host)
  }
}

struct ShowGate: Tool {
  static let configuration = verbConfiguration(
    "show", abstract: "Show a gate and every attempt to decide it")

  @Argument(help: "The gate's id.", completion: .gates)
  var id: String
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let place = try Place(hub.hub, session)
    let found = try await place.steer { (steerer) throws(Failure) in try steerer.gate(id) }
    try session.write([place.links().linked(found.gate)] + found.decisions)
  }
}

/// The operands that name the gates.
struct GateOperands: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The gates' ids.", valueName: "id"), completion: .pendingGates)
  var ids: [String]
  @Option(help: ArgumentHelp("Idempotency key: a repeated request decides once.", valueName: "id"))
  var requestId: String?
  @Flag(help: "Take a gate back from its hub, and decide it here.")
  var here = false

  func validate() throws {
    guard requestId == nil || ids.count == 1 else {
      throw ValidationError("--request-id allows one gate only.")
    }
    if let words = ids.first(where: { $0.contains(where: \.isWhitespace) }) {
      throw ValidationError("'\(words)' is not a gate id: quote the text of --reason.")
    }
  }
}

struct ApproveGate: Tool {
  static let configuration = verbConfiguration("approve", abstract: "Approve gates")

  @OptionGroup var gates: GateOperands
  @Option(help: "The reason, for the audit log.")
  var reason: String?
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.decide(gates, hub, .approve, reason: reason)
  }
}

struct RejectGate: Tool {
  static let configuration = verbConfiguration("reject", abstract: "Reject gates")

  @OptionGroup var gates: GateOperands
  @Option(help: "The reason, at least 10 characters.")
  var reason: String
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let fault = Gates.fault(ofReason: reason) { throw ValidationError(fault) }
  }

  func run(_ session: Session) async throws(Failure) {
    try await session.decide(gates, hub, .reject, reason: reason)
  }
}
