public import ArgumentParser
import Command
public import Core
import Events
import HubClient
import Storage

/// Which events are wanted.
struct FilterOptions: ParsableArguments {
  @Option(help: "Only events of at least this level.")
  var level: Log.Level?
  @Option(
    name: .customLong("swarm"), help: ArgumentHelp("Only events of this swarm.", valueName: "id"),
    completion: .swarms)
  var swarms: [String] = []
  @Option(
    name: .customLong("agent"), help: ArgumentHelp("Only events of this agent.", valueName: "id"),
    completion: .agents)
  var agents: [String] = []
  @Option(
    name: .customLong("skill"), help: ArgumentHelp("Only events of this skill.", valueName: "id"),
    completion: .skills)
  var skills: [String] = []
  @Option(
    name: .customLong("type"), help: ArgumentHelp("Only records of this type.", valueName: "type"),
    completion: .list(EventFilter.logTypes))
  var types: [String] = []
  @Option(
    name: .customLong("incident"),
    help: ArgumentHelp("Only events of this incident.", valueName: "id"),
    completion: .incidents)
  var incidents: [String] = []
  @Option(
    help: ArgumentHelp("Only events since a time, or an age such as 10m.", valueName: "time"))
  var since: Moment?
  @Option(help: ArgumentHelp("Only events up to a time, or an age such as 10m.", valueName: "time"))
  var until: Moment?
  @Option(help: ArgumentHelp("Only lines that contain this text.", valueName: "text"))
  var match: String?

  func validate() throws {
    guard match != "" else { throw ValidationError("--match needs a text.") }
  }

  /// A type that is wanted and that no event of the log has.
  var typeNotLogged: String? { types.first { !EventFilter.logTypes.contains($0) } }

  /// Returns the conditions on a place's events, with whole ids in place of parts.
  ///
  /// - Throws: `BadUsage` for a part of several ids; what asking for the ids throws.
  func filter(of events: any PlaceEvents) throws(Failure) -> EventFilter {
    func whole(_ parts: [String], _ kind: StoredNames.Kind) throws(Failure) -> [String] {
      // What nobody knows stays as it was given, since it may be yet to come.
      let known = parts.isEmpty ? [] : try events.ids(kind)
      return try parts.map { (part) throws(Failure) in
        try IdPart.whole(part, among: known, kind.rawValue) ?? part
      }
    }
    var filter = filter
    filter.swarms = try whole(swarms, .swarm)
    filter.agents = try whole(agents, .agent)
    filter.skills = try whole(skills, .skill)
    filter.incidents = try whole(incidents, .incident)
    return filter
  }

  /// What is wanted; of a file nobody knows which ids it has.
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
