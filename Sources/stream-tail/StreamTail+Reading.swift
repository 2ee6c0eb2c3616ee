import Command
import Core
import Display
import Events
import HubClient
import Tailing

extension StreamTail {
  /// Reads the events of this machine's log, or of a hub.
  func read(_ events: any PlaceEvents, _ session: Session) throws(Failure) {
    let wanted = try filtering.filter(of: events)
    var filter = wanted
    filter.includesLosses = strict || events.mayLose
    var tail = tail(filter, session) { hasEvents in
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

  /// Reads the events in files.
  func readFiles(_ session: Session) throws(Failure) {
    var filter = filtering.filter
    filter.includesLosses = strict
    var tail = tail(filter, session)
    defer { if tail.holdsErrors { session.rememberError() } }
    do throws(Failure) {
      for file in files { try tail.read { () throws(Failure) in try open(file, session) } }
    } catch {
      try tail.end(after: error)
      throw error
    }
    try tail.end()
  }

  /// The number of past events that a follower starts with, as tail(1) does; nil for all.
  private var recent: Int? {
    let isBounded = after != nil || filtering.since != nil || filtering.until != nil
    return last ?? (isBounded ? nil : 10)
  }

  private func tail(
    _ filter: EventFilter, _ session: Session,
    caughtUp: @escaping (_ hasEvents: Bool) -> Void = { _ in }
  ) -> EventTail {
    let isText = !session.output.isNDJSON
    let output = EventOutput(
      EventPrinter(session.output, shown: isText ? session.shownEvents(isLong: long) : nil),
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
