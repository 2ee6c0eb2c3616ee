public import ArgumentParser
import Command
public import Core
import HubClient
import HubSockets
import Pushing
import Watching

@main
struct PushNotify: ToolGroup {
  static let configuration = toolConfiguration(
    "push-notify", abstract: "Send alerts to people",
    discussion: """
      Examples:
        push-notify --follow --to oncall
        push-notify test --to mail:ops@example.org
        push-notify --to desktop <alerts.ndjson
      """,
    subcommands: [SendAlerts.self, TestTargets.self], usual: SendAlerts.self)
}

/// The options that name the targets.
struct TargetOptions: ParsableArguments {
  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "Send to this target: a configured name, ntfy:URL, webhook:URL, mail:ADDRESS or desktop.",
      valueName: "target"))
  var words: [String] = []
  @Flag(help: "Allow URLs that lead to private addresses.")
  var allowPrivate = false

  func validate() throws {
    guard !words.isEmpty else { throw ValidationError("Missing a target: use --to.") }
    guard Set(words).count == words.count else {
      throw ValidationError("--to names a target twice.")
    }
  }

  /// Returns the targets, whose settings the given function changes.
  func targets(
    _ session: Session, adjust: (inout Settings.PushSettings) -> Void
  ) throws(Failure) -> [PushTarget] {
    let settings = try session.configuration()
    return try words.map { (word) throws(Failure) in
      try PushTarget(word, settings, session) { target in
        if allowPrivate { target.allowsPrivate = true }
        adjust(&target)
      }
    }
  }
}

struct SendAlerts: Tool {
  static let configuration = verbConfiguration(
    "send", abstract: "Send the alerts on stdin, or new ones; implied without a command")

  @OptionGroup var to: TargetOptions
  @Flag(name: .shortAndLong, help: "Send new alerts of the event log or of a hub.")
  var follow = false
  @OptionGroup var hub: HubOptions
  @Option(
    name: .customLong("kind"), help: ArgumentHelp("Only alerts of this kind.", valueName: "kind"))
  var kinds: [Alert.Kind] = []
  @Option(help: ArgumentHelp("Only alerts of at least this level.", valueName: "level"))
  var minSeverity: Log.Level?
  @Option(
    name: .customLong("swarm"), help: ArgumentHelp("Only alerts of this swarm.", valueName: "id"),
    completion: .swarms)
  var swarms: [String] = []
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard follow || hub.hub == nil else { throw ValidationError("--hub needs --follow.") }
  }

  func run(_ session: Session) async throws(Failure) {
    let targets = try to.targets(session) { target in
      if !kinds.isEmpty { target.kinds = kinds }
      if let minSeverity { target.minSeverity = minSeverity }
      if !swarms.isEmpty { target.swarms = swarms }
    }
    guard follow else {
      return try await session.push(to: targets) { (pusher) throws(Failure) in
        try session.readAlerts(pusher)
      }
    }
    session.reportUnread("reading the event log; without --follow, stdin is read")
    let place = try Place(hub.hub, session)
    let keeper = place.here { WatchKeeper(session.directories, report: session.report) }
    defer { keeper?.close() }
    try await session.push(to: targets) { (pusher) throws(Failure) in
      try session.followAlerts(place, pusher)
    }
  }
}

struct TestTargets: Tool {
  static let configuration = verbConfiguration(
    "test", abstract: "Send a test message to targets")

  @OptionGroup var to: TargetOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let targets = try to.targets(session) { target in
      (target.kinds, target.swarms, target.quiet) = ([], [], nil)
      (target.minSeverity, target.perMinute) = (.debug, 1000)
    }
    var alert = Alert(
      ts: Timestamp.now.milliseconds, kind: .incident, severity: .warn,
      summary: "This is a test of push-notify.")
    alert.srcId = "test:" + Identifier.make()
    try await session.push(to: targets, takesOver: false) { [alert] (pusher) throws(Failure) in
      try pusher.accept([alert])
    }
  }
}

extension Alert.Kind: ExpressibleByArgument {
  /// Creates the kind that the given argument names.
  public init?(argument: String) { self.init(word: argument) }
}
extension Log.Level: ExpressibleByArgument {}
