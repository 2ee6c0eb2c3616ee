public import ArgumentParser
import Command
public import Core
import Watching

struct ListSwarms: Tool {
  static let configuration = verbConfiguration("swarms", abstract: "List the swarms")

  @Option(help: "Only those of one status.")
  var status: AgentStatus?
  @OptionGroup var options: WatchOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.answer(watching: options.watch) { (standing) throws(Failure) in
      try standing.swarms(status: status)
    }
  }
}

struct ShowSwarm: Tool {
  static let configuration = verbConfiguration(
    "swarm", abstract: "Show a swarm, its agents and its open incidents")

  @Argument(help: "The swarm's id.", completion: .swarms)
  var id: String
  @OptionGroup var options: WatchOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.answer(watching: options.watch) { (standing) throws(Failure) in
      let report = try standing.report(ofSwarm: id)
      return [report.swarm] + report.agents + report.incidents
    }
  }
}

extension AgentStatus: ExpressibleByArgument {}
