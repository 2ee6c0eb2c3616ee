public import ArgumentParser
import Command
public import Core
import Events
import Watching

struct ListSwarms: Tool {
  static let configuration = verbConfiguration("swarms", abstract: "List the swarms")

  @Option(help: "Only those of one status.")
  var status: AgentStatus?
  @OptionGroup var options: WatchOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write(watching: options.watch) { (standing, _) throws(Failure) in
      standing.swarms.filter { status == nil || $0.status == status }
    }
  }
}

struct ShowSwarm: Tool {
  static let configuration = verbConfiguration(
    "swarm", abstract: "Show a swarm, its agents and its open incidents")

  @Argument(help: "The swarm's id.")
  var id: String
  @OptionGroup var options: WatchOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write(watching: options.watch) { (standing, _) throws(Failure) in
      guard let swarm = standing.swarms.first(where: { $0.id == id }) else {
        throw Failure(.notFound, "there is no swarm '\(id)'", input: id)
      }
      return [swarm] + standing.agents.filter { $0.swarmId == id }
        + standing.incidents.filter { $0.swarmId == id && $0.status == .open }
    }
  }
}

struct ListAgents: Tool {
  static let configuration = verbConfiguration("agents", abstract: "List the agents")

  @Option(help: ArgumentHelp("Only those of one swarm.", valueName: "id"))
  var swarm: String?
  @Option(help: "Only those of one status.")
  var status: AgentStatus?
  @OptionGroup var options: WatchOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write(watching: options.watch) { (standing, _) throws(Failure) in
      standing.agents.filter {
        (swarm == nil || $0.swarmId == swarm) && (status == nil || $0.status == status)
      }
    }
  }
}

struct ShowAgent: Tool {
  static let configuration = verbConfiguration(
    "agent", abstract: "Show an agent, its context, its failing skills and its last events")

  @Argument(help: "The agent's id.")
  var id: String
  @Option(help: "So many of its last events.")
  var events = 50
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard events >= 0 else { throw ValidationError("--events must not be negative.") }
  }

  func run(_ session: Session) throws(Failure) {
    try session.write() { (standing, _) throws(Failure) in
      guard let agent = standing.agents.first(where: { $0.id == id }) else {
        throw Failure(.notFound, "there is no agent '\(id)'", input: id)
      }
      return [agent] + standing.contexts.filter { $0.agentId == id }
    }
    let journal = EventJournal(session.directories)
    let entries = try journal.last(max(1000, events), ofAgent: id)
    let used = Set(entries.compactMap { skill(in: $0.line) })
    try session.write() { (standing, _) throws(Failure) in
      Array(
        standing.skills(.hour).filter { used.contains($0.skillId) && ($0.errorRate ?? 0) > 0 }
          .prefix(5))
    }
    try session.write(events: entries.suffix(events).map(\.line))
  }

  private func skill(in line: String) -> String? {
    guard let record = try? RawRecord(line: Array(line.utf8)) else { return nil }
    return record.string("skillId")
      ?? record.json("attrs").flatMap {
        RawRecord(object: $0)?.string(EventAttribute.toolName.rawValue)
      }
  }
}

extension AgentStatus: ExpressibleByArgument {}
