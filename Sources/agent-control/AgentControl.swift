public import ArgumentParser
import Command
public import Core
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
      """,
    subcommands: [
      PauseAgents.self, ResumeAgents.self, TerminateAgents.self, SetThreshold.self,
      CloseIncident.self, ReopenIncident.self,
    ])
}

/// The options that name the target of a control, and the reason for it.
struct ControlOptions: ParsableArguments {
  @Argument(help: "The kind of target.")
  var target: ControlTarget
  @Argument(help: "The target's id.", completion: .controlTargets)
  var id: String
  @Option(help: "The reason, for the audit log.")
  var reason: String
  @Option(help: ArgumentHelp("Idempotency key: a repeated request acts once.", valueName: "id"))
  var requestId: String?
  @Option(help: ArgumentHelp("Wait this long for the effect.", valueName: "time"))
  var wait = Seconds(seconds: 2)

  /// Returns the request to perform the given action on the target.
  func request(_ action: ControlAction) -> ControlRequest {
    ControlRequest(
      requestId: requestId ?? Identifier.make(), target: target, id: id, action: action,
      reason: reason, actor: LoginName.current)
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
    try await session.control(options.request(.pause), hub, waiting: options.wait.value)
  }
}

struct ResumeAgents: Tool {
  static let configuration = verbConfiguration("resume", abstract: "Resume paused agents")

  @OptionGroup var options: ControlOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.control(options.request(.resume), hub, waiting: options.wait.value)
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
    let request = options.request(.terminate)
    try await session.confirm(request, hub, given: confirm)
    try await session.control(request, hub, waiting: options.wait.value)
  }
}

extension ControlTarget: ExpressibleByArgument {}
