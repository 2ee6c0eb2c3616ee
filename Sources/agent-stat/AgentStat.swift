import ArgumentParser
import Command
import Core
import Watching

@main
struct AgentStat: ToolGroup {
  static let handledSignals = Array(WatchScreen.signals)

  static let configuration = toolConfiguration(
    "agent-stat", abstract: "Show the state of agents",
    discussion: """
      Examples:
        agent-stat
        agent-stat agents --status error | jq -r .id
        agent-stat agent linter
        agent-stat swarms --watch
        agent-stat wait --for permission && echo somebody needs you
      """,
    subcommands: [
      ShowOverview.self, ListSwarms.self, ShowSwarm.self, ListAgents.self, ShowAgent.self,
      WaitForAgents.self,
      ListIncidents.self, ShowIncident.self, ShowResponse.self, ListContexts.self, ListSkills.self,
      ShowSkill.self,
      ListUsage.self, ListTerminals.self, ListThresholds.self, ListAudit.self,
    ], usual: ShowOverview.self)
}

/// The options of subcommands that can refresh their output continuously.
struct WatchOptions: ParsableArguments {
  @Flag(help: "Keep running and show changes.")
  var watch = false
}

struct ShowOverview: Tool {
  static let configuration = verbConfiguration("overview", abstract: "Summarize the current state")

  @OptionGroup var options: WatchOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    if options.watch, session.isOnTerminal, !session.output.isNDJSON {
      return try await session.watchOverview(hub)
    }
    try await session.answer(hub, watching: options.watch) { (outlook) throws(Failure) in
      StatAnswer([try outlook.overview()])
    }
  }
}

struct ListTerminals: Tool {
  static let configuration = verbConfiguration(
    "terminals", abstract: "List the tmux sessions of this machine and their agents")

  @OptionGroup var options: WatchOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.answer(hub, watching: options.watch) { (outlook) throws(Failure) in
      StatAnswer(try outlook.terminals())
    }
  }
}

struct ListThresholds: Tool {
  static let configuration = verbConfiguration(
    "thresholds", abstract: "List the thresholds for alerts")

  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.answer(hub) { (outlook) throws(Failure) in
      StatAnswer(try outlook.thresholds())
    }
  }
}

struct ListAudit: Tool {
  static let configuration = verbConfiguration(
    "audit", abstract: "Show the audit log of decisions and controls")

  @Option(help: "Show only this many of the newest entries.")
  var last: Int?
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard last.map({ $0 >= 0 }) ?? true else {
      throw ValidationError("--last must not be negative.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    try await session.answer(hub) { (outlook) throws(Failure) in
      StatAnswer(try outlook.audit(last: last))
    }
  }
}
