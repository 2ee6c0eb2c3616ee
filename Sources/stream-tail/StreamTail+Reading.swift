import Command
import Core
import Display
import Events
import HubClient
import Tailing

extension StreamTail {
  /// Reads the events in the log on this machine, or at a hub.
  ///
  /// Events that name no machine are those of `host`.
  func read(
    _ events: any PlaceEvents, from host: String?, _ session: Session
  ) throws(Failure) {
    let wanted = try filtering.filter(of: events)
    var filter = wanted
    filter.includesLosses = strict || events.mayLose
    var tail = tail(filter, from: host, session) { hasEvents in
      for (kind, id) in events.unknown(filter, hasEvents: hasEvents) {
        session.diagnostics.report(
          "there is no event of \(kind) '\(Visible.line(id))' yet: waiting for one")
      }
    }
    defer { if tail.holdsErrors { session.rememberError() } }
    var wish = EventWish(wanted)
    (wish.follows, wish.after, wish.last) = (follow, after, recent)
    if !session.output.isNDJSON, session.isOnTerminal { wish.perSecond = 200 }
    do throws(Failure) {
      try events.read(wish) { (source) throws(Failure) in try tail.read(source) }
    } catch {
      try tail.end(after: error)
      throw error
    }
    try tail.end()
    guard !follow else { return }
    for (kind, id) in events.unknown(filter, hasEvents: tail.hasEvents) {
      session.fail(
        Failure(
          .notFound, "no event of \(kind) '\(Visible.line(id))' is in the event log", input: id))
    }
  }

  /// Reads the events in the given files.
  func readFiles(_ session: Session) throws(Failure) {
    var filter = filtering.filter
    filter.includesLosses = strict
    // The machine that wrote a file is unknown.
    var tail = tail(filter, from: nil, session)
    defer { if tail.holdsErrors { session.rememberError() } }
    do throws(Failure) {
      for file in files {
        guard follow, file != "-" else {
          try tail.read { () throws(Failure) in try open(file, session) }
          continue
        }
        try FollowedFile.follow(
          file, interruption: session.interruption, report: session.report
        ) { (source) throws(Failure) in try tail.read(source) }
      }
    } catch {
      try tail.end(after: error)
      throw error
    }
    try tail.end()
  }

  /// The number of past events that are shown before following starts, as in tail(1); nil for all.
  private var recent: Int? {
    let isBounded = after != nil || filtering.since != nil || filtering.until != nil
    return last ?? (isBounded ? nil : 10)
  }

  private func tail(
    _ filter: EventFilter, from host: String?, _ session: Session,
    caughtUp: @escaping (_ hasEvents: Bool) -> Void = { _ in }
  ) -> EventTail {
    let isText = !session.output.isNDJSON
    let shown = isText ? session.shownEvents(from: host, isLong: long) : nil
    let output = EventOutput(
      EventPrinter(session.output, shown: shown),
      last: follow ? recent : last, perSecond: maxRate,
      coalesces: isText && session.isOnTerminal)
    return EventTail(
      filter, into: output, follows: follow, isStrict: strict, fail: { session.fail($0) },
      caughtUp: caughtUp)
  }

  private func open(_ file: String, _ session: Session) throws(Failure) -> any EventSource {
    if file == "-" { session.reportWaiting() }
    return try FileSource.open(file, interruption: session.interruption)
  }
}

extension Session {
  /// Returns a function that renders an event for the current width of the terminal.
  fileprivate func shownEvents(from host: String?, isLong: Bool) -> (RawRecord) -> String {
    var view = EventView(
      width: nil, palette: palette, minor: EventAttribute.minor, isLong: isLong)
    view.host = host
    return { event in
      view.width = TerminalSize(of: 1)?.columns
      return view.line(event)
    }
  }
}
