import ArgumentParser
import Command
import Core
import Watching

struct ListIncidents: Tool {
  static let configuration = verbConfiguration("incidents", abstract: "List open incidents")

  @Flag(help: "Include closed incidents.")
  var all = false
  @Option(
    help: ArgumentHelp("Show only this swarm.", valueName: "id"), completion: .swarms)
  var swarm: String?
  @OptionGroup var options: WatchOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.answer(hub, watching: options.watch) { (outlook) throws(Failure) in
      StatAnswer(try outlook.incidents(ofSwarm: swarm, withClosed: all))
    }
  }
}

struct ShowIncident: Tool {
  static let configuration = verbConfiguration(
    "incident", abstract: "Show an incident and its latest events")

  @Argument(help: "The incident's id.", completion: .incidents)
  var id: String
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.answer(hub) { (outlook) throws(Failure) in
      let report = try outlook.report(ofIncident: id)
      return StatAnswer([report.incident], events: report.events)
    }
  }
}

struct ShowResponse: Tool {
  static let configuration = verbConfiguration(
    "response", abstract: "Show how fast people responded to alerts")

  @Option(
    help: ArgumentHelp(
      "First alerts to count: a time, or an age; 7d by default.", valueName: "time"))
  var since: Moment?
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let since = since?.instant ?? Timestamp.now.adding(seconds: -7 * 86_400)
    try await session.answer(hub) { (outlook) throws(Failure) in
      let incidents = try outlook.incidents(ofSwarm: nil, withClosed: true)
      return StatAnswer([ResponseTimes(of: incidents, since: since)])
    }
  }
}
