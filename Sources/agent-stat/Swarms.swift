public import ArgumentParser
import Command
public import Core
import Watching

struct ListSwarms: Tool {
  static let configuration = verbConfiguration("swarms", abstract: "List swarms")

  @Option(help: "Show only this status.")
  var status: AgentStatus?
  @OptionGroup var options: WatchOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.answer(hub, watching: options.watch) { (outlook) throws(Failure) in
      StatAnswer(try outlook.swarms(status: status))
    }
  }
}

struct ShowSwarm: Tool {
  static let configuration = verbConfiguration(
    "swarm", abstract: "Show a swarm, its agents and open incidents")

  @Argument(help: "The swarm's id.", completion: .swarms)
  var id: String
  @OptionGroup var options: WatchOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.answer(hub, watching: options.watch) { (outlook) throws(Failure) in
      let report = try outlook.report(ofSwarm: id)
      return StatAnswer([report.swarm] + report.agents + report.incidents)
    }
  }
}

extension AgentStatus: ExpressibleByArgument {}
extension WaitCause: ExpressibleByArgument {}
