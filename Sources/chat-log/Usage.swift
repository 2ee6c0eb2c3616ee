import ArgumentParser
import Chats
import Command
import Core

struct SumUsage: Tool {
  static let configuration = verbConfiguration(
    "usage", abstract: "Add up the tokens and the money that answers took")

  /// The groupings of usage that chats support.
  enum Aspect: String, CaseIterable, ExpressibleByArgument {
    case day, model, swarm, tool, project

    var ofRecord: UsageSum.Aspect {
      switch self {
      case .day: .day
      case .model: .model
      case .swarm: .swarm
      case .tool: .tool
      case .project: .project
      }
    }
  }

  @Option(help: "Add up by day, model, swarm, tool or project.")
  var by = Aspect.day
  @Option(
    help: ArgumentHelp(
      "Only from the day of this instant on, or of 10m, 2h, 3d ago.", valueName: "time"))
  var since: Moment?
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let chats = try session.chats()
    try session.write(try chats?.usage(by: by.ofRecord, since: since?.instant) ?? [])
  }
}
