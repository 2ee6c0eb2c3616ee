import ArgumentParser
import Chats
import Command
import Core
import HubClient
import Watching

struct ListUsage: Tool {
  static let configuration = verbConfiguration(
    "usage", abstract: "Add up the tokens and costs of model calls")

  /// The groupings of usage that both agents and chats support.
  enum Aspect: String, CaseIterable, ExpressibleByArgument {
    case day, model, swarm, tool, session, run

    var ofRecord: UsageSum.Aspect {
      switch self {
      case .day: .day
      case .model: .model
      case .swarm: .swarm
      case .tool: .tool
      case .session: .session
      case .run: .run
      }
    }
  }

  @Option(help: "Group the sums by this.")
  var by = Aspect.day
  @Option(
    help: ArgumentHelp(
      "First day to count: a time, or an age such as 3d.", valueName: "time"))
  var since: Moment?
  @OptionGroup var options: WatchOptions
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let (aspect, since) = (by.ofRecord, since?.instant)
    // The usage at a hub includes the hub's own chats.
    let chats = try Place(hub.hub, session).here { () throws(Failure) in
      let keys = session.keys(try session.configuration())
      return try ChatStore.existing(in: session.directories, keys: keys)
    }
    try await session.answer(hub, watching: options.watch) { (outlook) throws(Failure) in
      let watched = try outlook.usage(by: aspect, since: since)
      guard let chats else { return StatAnswer(watched) }
      return StatAnswer(
        try chats.usage(
          by: aspect, since: since, beside: (watched, try outlook.countedSessions())))
    }
  }
}
