public import ArgumentParser
import Command
public import Core
import Events

/// Which events are wanted.
struct FilterOptions: ParsableArguments {
  @Option(help: "Only events of this level and above.")
  var level: Log.Level?
  @Option(
    name: .customLong("swarm"), help: ArgumentHelp("Only of this swarm.", valueName: "id"))
  var swarms: [String] = []
  @Option(
    name: .customLong("agent"), help: ArgumentHelp("Only of this agent.", valueName: "id"))
  var agents: [String] = []
  @Option(
    name: .customLong("skill"), help: ArgumentHelp("Only of this skill.", valueName: "id"))
  var skills: [String] = []
  @Option(
    name: .customLong("type"), help: ArgumentHelp("Only records of this type.", valueName: "type"))
  var types: [String] = []
  @Option(
    name: .customLong("incident"), help: ArgumentHelp("Only of this incident.", valueName: "id"))
  var incidents: [String] = []
  @Option(
    help: ArgumentHelp("Only from this instant on, or from 10m, 2h, 3d ago.", valueName: "time"))
  var since: Moment?
  @Option(help: ArgumentHelp("Only up to this instant, or to 10m, 2h, 3d ago.", valueName: "time"))
  var until: Moment?
  @Option(help: ArgumentHelp("Only lines that hold this text, as they came.", valueName: "text"))
  var match: String?

  func validate() throws {
    guard match != "" else { throw ValidationError("--match needs a text.") }
  }

  var filter: EventFilter {
    var filter = EventFilter()
    filter.level = level
    filter.types = types
    filter.swarms = swarms
    filter.agents = agents
    filter.skills = skills
    filter.incidents = incidents
    filter.since = since?.instant
    filter.until = until?.instant
    filter.match = match
    return filter
  }
}

extension Log.Level: ExpressibleByArgument {}
