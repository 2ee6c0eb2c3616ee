import ArgumentParser
import Command
import Core
import Watching

struct ListAgents: Tool {
  static let configuration = verbConfiguration(
    "agents", abstract: "List agents, newest first")

  @Option(
    help: ArgumentHelp("Show only this swarm.", valueName: "id"), completion: .swarms)
  var swarm: String?
  @Option(help: "Show only this status.")
  var status: AgentStatus?
  @Option(help: ArgumentHelp("Show at most this many.", valueName: "number"))
  var limit: Int?
  @OptionGroup var options: WatchOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard limit ?? 1 > 0 else { throw ValidationError("--limit must be 1 or more.") }
  }

  func run(_ session: Session) async throws(Failure) {
    try await session.answer(hub, watching: options.watch) { (outlook) throws(Failure) in
      let agents = try outlook.agents(ofSwarm: swarm, status: status)
        .sorted { ($1.beganAt, $0.id) < ($0.beganAt, $1.id) }
      return StatAnswer(Array(agents.prefix(limit ?? .max)))
    }
  }
}

struct ShowAgent: Tool {
  static let configuration = verbConfiguration(
    "agent", abstract: "Show an agent, its context, failing skills and latest events")

  @Argument(help: "The agent's id.", completion: .agents)
  var id: String
  @Option(help: "Show this many of its latest events.")
  var events = 50
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard events >= 0 else { throw ValidationError("--events must not be negative.") }
  }

  func run(_ session: Session) async throws(Failure) {
    try await session.answer(hub) { (outlook) throws(Failure) in
      let report = try outlook.report(ofAgent: id, events: events)
      return StatAnswer(
        [report.agent] + report.contexts + report.failingSkills, events: report.events)
    }
  }
}

extension Agent {
  /// The time at which the agent started; if the start was not logged, the time of its last event.
  var beganAt: Timestamp { startedAt ?? updatedAt }
}
