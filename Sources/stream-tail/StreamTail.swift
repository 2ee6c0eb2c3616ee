import ArgumentParser
import Command
import Core
import Display
import Events
import Tailing

@main
struct StreamTail: Tool {
  static let configuration = toolConfiguration(
    "stream-tail", abstract: "Follow live events",
    discussion: """
      Examples:
        stream-tail --level error --since 10m | jq -r .message
        stream-tail --follow --swarm 01933b1c-…
        stream-tail --agent linter --last 20 events.ndjson.gz
      """)

  @Argument(help: "Files, packed by gzip too, in place of the event log; '-' reads stdin.")
  var files: [String] = []
  @Flag(name: .shortAndLong, help: "Go on with what is logged from now on.")
  var follow = false
  @OptionGroup var filtering: FilterOptions
  @Option(help: ArgumentHelp("Only so many of the last events.", valueName: "number"))
  var last: Int?
  @Option(
    help: ArgumentHelp(
      "At most so many events a second; the others are counted.", valueName: "number"))
  var maxRate: Int?
  @Flag(help: "As text, tell all of each event, however long its line.")
  var long = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard last ?? 1 > 0 else { throw ValidationError("--last must be 1 or more.") }
    guard (1...1_000_000).contains(maxRate ?? 1) else {
      throw ValidationError("--max-rate must be between 1 and 1000000.")
    }
    guard !follow || files.isEmpty else {
      throw ValidationError("--follow reads the event log; 'tail -f FILE |' follows a file.")
    }
    guard last == nil || maxRate == nil else {
      throw ValidationError("--last and --max-rate exclude each other.")
    }
  }

  func run(_ session: Session) throws(Failure) {
    let isText = !session.output.isNDJSON
    let output = EventOutput(
      EventPrinter(session.output, shown: isText ? session.shownEvents(isLong: long) : nil),
      last: last, perSecond: maxRate, coalesces: isText && session.isOnTerminal)
    var tail = EventTail(filtering.filter, into: output, follows: follow) { session.fail($0) }
    defer { if tail.holdsErrors { session.rememberError() } }
    do throws(Failure) {
      if files.isEmpty { try tail.read(log(session)) }
      for file in files { try tail.read { () throws(Failure) in try open(file, session) } }
    } catch {
      try tail.end(after: error)
      throw error
    }
    try tail.end()
  }

  private func open(_ file: String, _ session: Session) throws(Failure) -> any EventSource {
    if file == "-" { session.tellWaiting() }
    return try FileSource.open(file, interruption: session.interruption)
  }

  private func log(_ session: Session) throws(Failure) -> any EventSource {
    session.tellUnread("the event log is read; '-' reads stdin")
    return try LogSource(
      EventJournal(session.directories), follows: follow, interruption: session.interruption)
  }
}

extension Session {
  /// What shows an event to a person, within the terminal as it is then.
  fileprivate func shownEvents(isLong: Bool) -> (RawRecord) -> String {
    var view = EventView(
      width: nil, palette: palette, minor: EventAttribute.minor, isLong: isLong)
    return { event in
      view.width = TerminalSize(of: 1)?.columns
      return view.line(event)
    }
  }
}
