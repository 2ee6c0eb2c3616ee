import ArgumentParser
import Command
import Core
import Watching

struct ListUsage: Tool {
  static let configuration = verbConfiguration(
    "usage", abstract: "Add up the tokens and the money that calls of models took")

  /// What agents tell enough of to add it up by.
  enum Aspect: String, CaseIterable, ExpressibleByArgument {
    case day, model, swarm

    var ofRecord: UsageSum.Aspect {
      switch self {
      case .day: .day
      case .model: .model
      case .swarm: .swarm
      }
    }
  }

  @Option(help: "Add up by day, by model or by swarm.")
  var by = Aspect.day
  @Option(
    help: ArgumentHelp(
      "Only from the day of this instant on, or of 10m, 2h, 3d ago.", valueName: "time"))
  var since: Moment?
  @OptionGroup var options: WatchOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    try await session.answer(hub, watching: options.watch) { (outlook) throws(Failure) in
      StatAnswer(try outlook.usage(by: by.ofRecord, since: since?.instant))
    }
  }
}
