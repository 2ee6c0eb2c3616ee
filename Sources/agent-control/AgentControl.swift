import ArgumentParser
import Command
import Core
import Requests
import Watching

@main
struct AgentControl: ToolGroup {
  static let configuration = toolConfiguration(
    "agent-control", abstract: "Pause, resume and terminate agents",
    discussion: """
      Examples:
        agent-control pause agent linter --reason 'runaway cost'
        agent-control resume swarm review --reason 'looked at it'
        agent-control terminate agent linter --reason 'stuck' --confirm TERMINATE
        agent-control threshold contextCapacity all 0.9
        agent-control threshold swarmCost review 5 --then pause
      """,
    subcommands: [
      PauseAgents.self, ResumeAgents.self, TerminateAgents.self, SetThreshold.self,
      CloseIncident.self, ReopenIncident.self,
    ])
}

/// The kind of object that a control names.
enum NamedTarget: String, CaseIterable, ExpressibleByArgument {
  case agent, swarm
  /// A conversation, whose agent gets the control.
  case session
}

/// The options that name the target of a control, and the reason for it.
struct ControlOptions: ParsableArguments {
  @Argument(help: "The kind of target.")
  var target: NamedTarget
  @Argument(help: "The target's id.", completion: .controlTargets)
  var id: String
  @Option(help: "The reason, for the audit log.")
  var reason: String
  @Option(help: ArgumentHelp("Idempotency key: a repeated request acts once.", valueName: "id"))
  var requestId: String?
  @Option(help: ArgumentHelp("Wait this long for the effect.", valueName: "time"))
  var wait = Seconds(seconds: 2)

  /// Returns the request to perform the given action on the target.
  ///
  /// - Throws: `NotFound` if there is no such session; the errors of the query for it.
  func request(
    _ action: ControlAction, _ session: Session, _ hub: HubOptions
  ) async throws(Failure) -> ControlRequest {
    let id = target == .session ? try await session.agent(ofSession: id, hub) : id
    return ControlRequest(
      requestId: requestId ?? Identifier.make(), target: target == .swarm ? .swarm : .agent,
      id: id, action: action, reason: reason, actor: LoginName.current)
  }

  func validate() throws {
    guard !reason.allSatisfy(\.isWhitespace) else {
      throw ValidationError("The reason must not be empty.")
    }
  }
}

struct PauseAgents: Tool {
  static let configuration = verbConfiguration("pause", abstract: "Pause agents")

  @OptionGroup var options: ControlOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let request = try await options.request(.pause, session, hub)
    try await session.control(request, hub, waiting: options.wait.value)
  }
}

struct ResumeAgents: Tool {
  static let configuration = verbConfiguration("resume", abstract: "Resume paused agents")

  @OptionGroup var options: ControlOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let request = try await options.request(.resume, session, hub)
    try await session.control(request, hub, waiting: options.wait.value)
  }
}

struct TerminateAgents: Tool {
  static let configuration = verbConfiguration("terminate", abstract: "Terminate agents")

  @OptionGroup var options: ControlOptions
  @Option(help: "Pass TERMINATE to confirm without a terminal.")
  var confirm: String?
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let request = try await options.request(.terminate, session, hub)
    try await session.confirm(request, hub, given: confirm)
    try await session.control(request, hub, waiting: options.wait.value)
  }
}
