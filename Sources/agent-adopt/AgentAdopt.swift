import Adopting
public import ArgumentParser
public import CodingAgents
import Command
import Core
import HubClient
import Watching

@main
struct AgentAdopt: ToolGroup {
  static let configuration = toolConfiguration(
    "agent-adopt", abstract: "Report sessions of other programs as agents",
    discussion: """
      Examples:
        agent-adopt --follow &
        agent-adopt claude codex --follow --swarm nightly
        agent-adopt --follow --keep
        agent-adopt status
      """,
    subcommands: [AdoptSessions.self, AdoptionStatus.self], usual: AdoptSessions.self)
}

struct AdoptSessions: Tool {
  static let configuration = verbConfiguration(
    "adopt", abstract: "Report sessions as agents; implied without a command")

  @Argument(help: "The programs; all by default.")
  var agents: [CodingAgent] = []
  @Flag(name: .shortAndLong, help: "Continue to report, and steer the agents.")
  var follow = false
  @Option(
    help: ArgumentHelp(
      "The agents' swarm; by default the name of the working folder.", valueName: "name"),
    completion: .swarms)
  var swarm: String?
  @Option(help: ArgumentHelp("Report what happened in this time.", valueName: "time"))
  var since = Seconds(seconds: 86_400)
  @Flag(help: "Store the text in sealed chats, as 'chat-log import' does.")
  var keep = false
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard swarm != "" else { throw ValidationError("Names must not be empty.") }
    guard since.value >= 0 else { throw ValidationError("--since must not be negative.") }
  }

  func run(_ session: Session) throws(Failure) {
    let place = try Place(hub.hub, session)
    let options = Adopter.Options(
      agents: agents.isEmpty ? CodingAgent.allCases : agents, swarm: swarm, since: since.value,
      hub: place.hub)
    let adopter = try Adopter(
      options, environment: session.environment, directories: session.directories,
      interruption: session.interruption, report: session.report)
    let keeper =
      follow ? place.here { WatchKeeper(session.directories, report: session.report) } : nil
    defer { keeper?.close() }
    let keeping = try keep ? KeptSessions(session) : nil
    defer { keeping?.close() }
    let records = try adopter.run(
      following: follow, keep: follow ? keeping?.add : keeping?.store)
    for record in records { try session.output.write(record) }
  }
}

struct AdoptionStatus: Tool {
  static let configuration = verbConfiguration(
    "status", abstract: "Show the programs, their files and unknown entries")

  @Argument(help: "The programs; all by default.")
  var agents: [CodingAgent] = []
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let report = AdoptionReport(
      environment: session.environment, directories: session.directories)
    let agents = agents.isEmpty ? CodingAgent.allCases : agents
    let records = try report.records(of: agents) { (failure) throws(Failure) in
      try session.goOn(after: failure)
    }
    for record in records { try session.output.write(record) }
  }
}

extension CodingAgent: ExpressibleByArgument {}
