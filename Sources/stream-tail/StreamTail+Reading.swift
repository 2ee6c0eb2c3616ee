import Command
import Core
import Display
import Events
import HubClient
import HubSockets
import Tailing

extension StreamTail {
  /// Reads the events of a hub.
  func read(of peer: HubPeer, _ session: Session) throws(Failure) {
    let asked = try filtering.filter(of: peer, session.interruption)
    var filter = asked
    filter.takesLosses = true
    var tail = EventTail(filter, into: output(session), follows: follow, isStrict: strict) {
      session.fail($0)
    }
    defer { if tail.holdsErrors { session.rememberError() } }
    let isShown = !session.output.isNDJSON && session.isOnTerminal
    var wanted = HubSubscription(
      asked, perSecond: isShown ? 200 : HubSubscription.mostPerSecond, after: after)
    do throws(Failure) {
      if !follow || (after == nil && recent != 0) {
        let past = HubPages(
          peer, wanted, last: follow ? recent : nil, interruption: session.interruption)
        try tail.read(past)
        wanted.after = past.lastId
      }
      if follow {
        try tail.read(
          HubStream(peer, wanted, interruption: session.interruption, connect: connect(peer)) {
            session.diagnostics.say("\($0.explanation): trying again")
          })
      }
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

  /// How a hub's stream is followed: the URL tells it.
  private func connect(_ peer: HubPeer) -> (HubCall) throws(Failure) -> any HubLine {
    let wantsWebSocket = peer.hub.wantsWebSocket
    return { (call) throws(Failure) -> any HubLine in
      if wantsWebSocket { return try HubSocket(call) }
      return try HubFeed(call)
    }
  }

  private func output(_ session: Session) -> EventOutput {
    let isText = !session.output.isNDJSON
    let last = follow ? recent : last
    return EventOutput(
      EventPrinter(session.output, shown: isText ? session.shownEvents(isLong: long) : nil),
      last: last, perSecond: maxRate, coalesces: isText && session.isOnTerminal)
  }

  /// Reads the events of this machine, or of files.
  func readHere(_ session: Session) throws(Failure) {
    var filter = files.isEmpty ? try filtering.filterOfLog(session) : filtering.filter
    filter.takesLosses = strict
    // One for all: who opens the log wakes those who follow it.
    let journal = EventJournal(session.directories)
    let unknown = UnknownIds(filter, in: journal)
    var tail = EventTail(filter, into: output(session), follows: follow, isStrict: strict) {
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
