import ArgumentParser
import Command
import Core
import Watching

struct ListIncidents: Tool {
  static let configuration = verbConfiguration("incidents", abstract: "List the open incidents")

  @Flag(help: "List closed ones too.")
  var all = false
  @Option(
    help: ArgumentHelp("Only those of one swarm.", valueName: "id"), completion: .swarms)
  var swarm: String?
  @OptionGroup var options: WatchOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.answer(watching: options.watch) { (standing) throws(Failure) in
      try standing.incidents(ofSwarm: swarm, withClosed: all)
    }
  }
}

struct ShowIncident: Tool {
  static let configuration = verbConfiguration(
    "incident", abstract: "Show an incident and its last events")

  @Argument(help: "The incident's id.", completion: .incidents)
  var id: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    var lines: [String] = []
    try session.answer { (standing) throws(Failure) in
      let report = try standing.report(ofIncident: id)
      lines = report.events
      return [report.incident]
    }
    try session.write(events: lines)
  }
}
