import ArgumentParser
import Command
import Core
import Events
import HubClient
import HubSockets

@main
struct StreamTail: Tool {
  static let configuration = toolConfiguration(
    "stream-tail", abstract: "Follow live events",
    discussion: """
      Examples:
        stream-tail --level error --since 10m | jq -r .message
        stream-tail --follow --swarm 01933b1c-…
        stream-tail --agent linter --last 20 events.ndjson.gz
        stream-tail --follow --hub http://build:7878
      """)

  @Argument(
    help: "Files, packed by gzip too, in place of the event log; '-' reads stdin.",
    completion: .file())
  var files: [String] = []
  @Flag(name: .shortAndLong, help: "Go on with what is logged from now on.")
  var follow = false
  @OptionGroup var hub: HubOptions
  @OptionGroup var filtering: FilterOptions
  @Option(
    name: [.customShort("n", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Only so many of the last events; with --follow 10.", valueName: "number"))
  var last: Int?
  @Option(help: ArgumentHelp("Only what was logged after this event.", valueName: "id"))
  var after: String?
  @Option(
    help: ArgumentHelp(
      "At most so many events a second; the others are counted.", valueName: "number"))
  var maxRate: Int?
  @Flag(help: "Let a gap in the events be a failure, and end there.")
  var strict = false
  @Flag(help: "As text, tell all of each event, however long its line.")
  var long = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard last ?? 0 >= 0 else { throw ValidationError("--last must be 0 or more.") }
    guard (1...1_000_000).contains(maxRate ?? 1) else {
      throw ValidationError("--max-rate must be between 1 and 1000000.")
    }
    guard !follow || files.isEmpty else {
      throw ValidationError("--follow reads the event log; 'tail -f FILE |' follows a file.")
    }
    guard after.map(EventFilter.isId) ?? true else {
      throw ValidationError("--after needs the id of an event, such as 1f0c88a2b3d4e5f6-120.")
    }
    guard after == nil || files.isEmpty else {
      throw ValidationError("--after is about the event log, and takes no files.")
    }
    guard hub.hub == nil || files.isEmpty else {
      throw ValidationError("--hub is about a hub's events, and takes no files.")
    }
    // Of a file nobody knows what it holds, and of the log everybody.
    if files.isEmpty, let type = filtering.typeNotLogged {
      let known = EventFilter.logTypes.joined(separator: ", ")
      throw ValidationError("The event log holds no '\(type)': its types are \(known).")
    }
    guard last == nil || maxRate == nil else {
      throw ValidationError("--last and --max-rate exclude each other.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    guard files.isEmpty else { return try readFiles(session) }
    session.reportUnread("the event log is read; '-' reads stdin")
    let place = try Place(hub.hub, session)
    try await place.wait { () throws(Failure) in
      let events = place.events(sockets: { (call) throws(Failure) in try HubSocket(call) }) {
        session.diagnostics.report("\($0.explanation): trying again")
      }
      try read(events, session)
    }
  }
}
