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

  @Argument(
    help: "Files, packed by gzip too, in place of the event log; '-' reads stdin.",
    completion: .file())
  var files: [String] = []
  @Flag(name: .shortAndLong, help: "Go on with what is logged from now on.")
  var follow = false
  @OptionGroup var filtering: FilterOptions
  @Option(
    name: [.customShort("n", allowingJoined: true), .long],
    help: ArgumentHelp("Only so many of the last events.", valueName: "number"))
  var last: Int?
  @Option(help: ArgumentHelp("Only what was logged after this event.", valueName: "id"))
  var after: String?
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
    guard after.map(EventFilter.isId) ?? true else {
      throw ValidationError("--after needs the id of an event, such as 1f0c88a2b3d4e5f6-120.")
    }
    guard after == nil || files.isEmpty else {
      throw ValidationError("--after is about the event log, and takes no files.")
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

  func run(_ session: Session) throws(Failure) {
    let filter = files.isEmpty ? try filtering.filterOfLog(session) : filtering.filter
    let isText = !session.output.isNDJSON
    let output = EventOutput(
      EventPrinter(session.output, shown: isText ? session.shownEvents(isLong: long) : nil),
      last: last, perSecond: maxRate, coalesces: isText && session.isOnTerminal)
    // One for all: who opens the log wakes those who follow it.
    let journal = EventJournal(session.directories)
    let unknown = UnknownIds(filter, in: journal)
    var tail = EventTail(filter, into: output, follows: follow) {
      session.fail($0)
    } caughtUp: { hasEvents in
      for (kind, id) in unknown.find(hasEvents: hasEvents) {
        session.diagnostics.say(
          "there is no event of \(kind) '\(Visible.line(id))' yet: waiting for one")
      }
    }
    defer { if tail.holdsErrors { session.rememberError() } }
    do throws(Failure) {
      if files.isEmpty { try tail.read(log(journal, session)) }
      for file in files { try tail.read { () throws(Failure) in try open(file, session) } }
    } catch {
      try tail.end(after: error)
      throw error
    }
    try tail.end()
    guard files.isEmpty, !follow else { return }
    for (kind, id) in unknown.find(hasEvents: tail.hasEvents) {
      session.fail(
        Failure(
          .notFound, "no event of \(kind) '\(Visible.line(id))' is in the event log", input: id))
    }
  }

  private func open(_ file: String, _ session: Session) throws(Failure) -> any EventSource {
    if file == "-" { session.tellWaiting() }
    return try FileSource.open(file, interruption: session.interruption)
  }

  private func log(
    _ journal: EventJournal, _ session: Session
  ) throws(Failure) -> any EventSource {
    session.tellUnread("the event log is read; '-' reads stdin")
    return try LogSource(
      journal, after: after, follows: follow, interruption: session.interruption)
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
