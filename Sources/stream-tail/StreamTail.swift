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
        stream-tail --level error --since 10m | jq -r '.message // empty'
        stream-tail --follow --swarm 01933b1c-…
        stream-tail --agent linter --last 20 events.ndjson.gz
        stream-tail --follow --hub http://build:7878
      """)

  @Argument(
    help: "Files to read, also gzipped; '-' reads stdin.",
    completion: .file())
  var files: [String] = []
  @Flag(name: .shortAndLong, help: "Keep running and show new events.")
  var follow = false
  @OptionGroup var hub: HubOptions
  @OptionGroup var filtering: FilterOptions
  @Option(
    name: [.customShort("n", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Only this many latest events; 10 with --follow.", valueName: "number"))
  var last: Int?
  @Option(help: ArgumentHelp("Only events logged after this one.", valueName: "id"))
  var after: String?
  @Option(
    help: ArgumentHelp(
      "Limit events per second; count the others.", valueName: "number"))
  var maxRate: Int?
  @Flag(help: "Fail if events are missing.")
  var strict = false
  @Flag(help: "Do not shorten lines of text.")
  var long = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard last ?? 0 >= 0 else { throw ValidationError("--last must be 0 or more.") }
    guard (1...1_000_000).contains(maxRate ?? 1) else {
      throw ValidationError("--max-rate must be between 1 and 1000000.")
    }
    guard !follow || files.count < 2 else {
      throw ValidationError("--follow accepts one file only.")
    }
    guard after.map(EventFilter.isId) ?? true else {
      throw ValidationError("--after needs an event id such as 1f0c88a2b3d4e5f6-120.")
    }
    guard after == nil || files.isEmpty else {
      throw ValidationError("--after accepts no files: it reads the event log.")
    }
    guard hub.hub == nil || files.isEmpty else {
      throw ValidationError("--hub accepts no files: it reads a hub's events.")
    }
    // The types of events are known for the log, but not for files.
    if files.isEmpty, let type = filtering.typeNotLogged {
      let known = EventFilter.logTypes.joined(separator: ", ")
      throw ValidationError("Unknown event type '\(type)': expected one of \(known).")
    }
    guard last == nil || maxRate == nil else {
      throw ValidationError("--last and --max-rate exclude each other.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    guard files.isEmpty else { return try readFiles(session) }
    session.reportUnread("reading the event log; use '-' to read stdin")
    let place = try Place(hub.hub, session)
    try await place.wait { () throws(Failure) in
      let events = place.events(sockets: { (call) throws(Failure) in try HubSocket(call) }) {
        session.diagnostics.report("\($0.explanation): retrying")
      }
      try read(events, from: place.host, session)
    }
  }
}
