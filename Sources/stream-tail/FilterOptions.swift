public import ArgumentParser
import Command
public import Core
import Events
import HubClient
import Storage

/// The options that select events.
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

  /// The first requested event type that never occurs in the log; nil if there is none.
  var typeNotLogged: String? { types.first { !EventFilter.logTypes.contains($0) } }

  /// Returns the filter for the given events.
  ///
  /// Parts of IDs are completed.
  ///
  /// - Throws: `BadUsage` if a part matches several IDs; the errors of reading the IDs.
  func filter(of events: any PlaceEvents) throws(Failure) -> EventFilter {
    func whole(_ parts: [String], _ kind: StoredNames.Kind) throws(Failure) -> [String] {
      // An unknown ID is used as given, because its events may come later.
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

  /// The filter with the IDs as the user wrote them.
  ///
  /// It is used for files, whose IDs are unknown.
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
