import ArgumentParser
import Chats
import Command
import Core
import Watching

struct ListUsage: Tool {
  static let configuration = verbConfiguration(
    "usage", abstract: "Add up the tokens and the money that calls of models took")

  /// What agents and chats tell enough of to add it up by.
  enum Aspect: String, CaseIterable, ExpressibleByArgument {
    case day, model, swarm, tool

    var ofRecord: UsageSum.Aspect {
      switch self {
      case .day: .day
      case .model: .model
      case .swarm: .swarm
      case .tool: .tool
      }
    }
  }

  @Option(help: "Add up by day, model, swarm or tool.")
  var by = Aspect.day
  @Option(
    help: ArgumentHelp(
      "Only from the day of this instant on, or of 10m, 2h, 3d ago.", valueName: "time"))
  var since: Moment?
  @OptionGroup var options: WatchOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let (aspect, since) = (by.ofRecord, since?.instant)
    let chats = try session.chats(unless: hub)
    try await session.answer(hub, watching: options.watch) { (outlook) throws(Failure) in
      let watched = try outlook.usage(by: aspect, since: since)
      return StatAnswer(
        try chats?.usage(by: aspect, since: since, beside: watched) ?? watched)
    }
  }
}

extension Session {
  /// The chats of this machine; nil where none were ever kept, and where a hub is asked, which adds its
  /// own.
  fileprivate func chats(unless hub: HubOptions) throws(Failure) -> ChatStore? {
    guard try self.hub(hub, { (name, _, _, _) in name }) == nil else { return nil }
    return try ChatStore.existing(in: directories, keys: keys(try configuration()))
  }
}
