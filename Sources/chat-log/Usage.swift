import ArgumentParser
import Chats
import Command
import Core

struct SumUsage: Tool {
  static let configuration = verbConfiguration(
    "usage", abstract: "Add up the tokens and costs of answers")

  /// The groupings of usage that chats support.
  enum Aspect: String, CaseIterable, ExpressibleByArgument {
    case day, model, swarm, tool, project, session

    var ofRecord: UsageSum.Aspect {
      switch self {
      case .day: .day
      case .model: .model
      case .swarm: .swarm
      case .tool: .tool
      case .project: .project
      case .session: .session
      }
    }
  }

  @Option(help: "Group the sums by this.")
  var by = Aspect.day
  @Option(
    help: ArgumentHelp(
      "First day to count: a time, or an age such as 3d.", valueName: "time"))
  var since: Moment?
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let chats = try session.chats()
    try session.write(try chats?.usage(by: by.ofRecord, since: since?.instant) ?? [])
  }
}
