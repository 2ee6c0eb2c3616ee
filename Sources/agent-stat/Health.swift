import ArgumentParser
import Command
import Core
import Watching

struct ListIncidents: Tool {
  static let configuration = verbConfiguration("incidents", abstract: "List the open incidents")

  @Flag(help: "List closed ones too.")
  var all = false
  @Option(help: ArgumentHelp("Only those of one swarm.", valueName: "id"))
  var swarm: String?
  @OptionGroup var options: WatchOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write(watching: options.watch) { (standing, _) throws(Failure) in
      standing.incidents.filter {
        (all || $0.status == .open) && (swarm == nil || $0.swarmId == swarm)
      }
    }
  }
}

struct ShowIncident: Tool {
  static let configuration = verbConfiguration(
    "incident", abstract: "Show an incident and its last events")

  @Argument(help: "The incident's id.")
  var id: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    var lines: [String] = []
    try session.write() { (standing, store) throws(Failure) in
      guard let incident = standing.incidents.first(where: { $0.id == id }) else {
        throw Failure(.notFound, "there is no incident '\(id)'", input: id)
      }
      lines = try Steering(store: store).events(ofIncident: id)
      return [incident]
    }
    try session.write(events: lines)
  }
}

struct ListContexts: Tool {
  static let configuration = verbConfiguration(
    "context", abstract: "List how full the contexts of conversations are")

  @Option(help: ArgumentHelp("Only those of one swarm.", valueName: "id"))
  var swarm: String?
  @OptionGroup var options: WatchOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write(watching: options.watch) { (standing, _) throws(Failure) in
      standing.contexts.filter { swarm == nil || $0.swarmId == swarm }
    }
  }
}

struct ListSkills: Tool {
  static let configuration = verbConfiguration(
    "skills", abstract: "List how the skills and tools did in the last hour")

  @OptionGroup var options: WatchOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write(watching: options.watch) { (standing, _) throws(Failure) in
      standing.skills(.hour)
    }
  }
}

struct ShowSkill: Tool {
  static let configuration = verbConfiguration(
    "skill", abstract: "Show how a skill did in the last hour and in the last day")

  @Argument(help: "The skill's id.")
  var id: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write() { (standing, _) throws(Failure) in
      let found = (standing.skills(.hour) + standing.skills(.day)).filter { $0.skillId == id }
      guard !found.isEmpty else {
        throw Failure(.notFound, "there is no skill '\(id)'", input: id)
      }
      return found
    }
  }
}
