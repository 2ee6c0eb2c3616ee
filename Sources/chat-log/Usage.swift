import ArgumentParser
import Chats
import Command
import Core

struct SumUsage: Tool {
  static let configuration = verbConfiguration(
    "usage", abstract: "Add up the tokens and the money that answers took")

  /// What chats tell enough of to add it up by.
  enum Aspect: String, CaseIterable, ExpressibleByArgument {
    case day, model, project

    var ofRecord: UsageSum.Aspect {
      switch self {
      case .day: .day
      case .model: .model
      case .project: .project
      }
    }
  }

  @Option(help: "Add up by day, by model or by project.")
  var by = Aspect.day
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write(try session.chats()?.usage(by: by.ofRecord) ?? [])
  }
}
