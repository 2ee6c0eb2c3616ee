import Command
import Core
import Display
import Events
import HubClient
import HubQuestions
import Watching

extension Session {
  /// Runs the given query, and writes the answer once or each time it changes.
  ///
  /// - Parameters:
  ///   - hub: The options that may name a hub to query.
  ///   - watching: `true` to continue and write every change.
  ///   - question: The query.
  /// - Returns: The answer.
  /// - Throws: The errors of the query and of writing.
  @discardableResult
  func answer(
    _ hub: HubOptions, watching: Bool = false,
    _ question: @escaping @Sendable (any Outlook) throws(Failure) -> StatAnswer
  ) async throws(Failure) -> StatAnswer {
    let place = try Place(hub.hub, self)
    let links = place.links()
    return try await place.wait { () throws(Failure) in
      let lookout = try place.lookout()
      return try self.show(watching) { () throws(Failure) in
        let outlook = try lookout.outlook()
        var answer = try question(outlook)
        answer.records = answer.records.map(links.linked)
        answer.staleness = outlook.staleness
        answer.host = place.host
        return answer
      }
    }
  }

  private func show(
    _ watching: Bool, _ query: () throws(Failure) -> StatAnswer
  ) throws(Failure) -> StatAnswer {
    guard watching else {
      let answer = try query()
      try write(answer)
      return answer
    }
    var last = StatAnswer([])
    try watch(note: { last.staleness?.sentence }) { () throws(Failure) in
      let answer = try query()
      // A stale answer is reported once, not again for each second of its age.
      guard output.isNDJSON, answer.staleness != nil, last.staleness != nil else {
        if output.isNDJSON { report(answer.staleness) }
        last = answer
        return answer.records
      }
      return last.records
    }
    return last
  }

  private func write(_ answer: StatAnswer) throws(Failure) {
    if output.isNDJSON {
      report(answer.staleness)
    } else if let staleness = answer.staleness {
      let line = palette.painted(staleness.sentence, .warning)
      try output.write(text: line + "\n")
    }
    try write(answer.records, from: answer.host)
    try write(events: answer.events, from: answer.host)
    if let plots = answer.plots, !output.isNDJSON {
      let text = RecordText(width: TerminalSize(of: 1)?.columns, palette: palette)
      try output.write(text: plots.text(text))
    }
  }

  private func report(_ staleness: Staleness?) {
    if let staleness { diagnostics.report(staleness.sentence) }
  }

  /// Writes the given events.
  ///
  /// On a terminal they have the form that stream-tail uses, and otherwise the form of the log.
  private func write(events lines: [String], from host: String?) throws(Failure) {
    let events = try lines.map { (line) throws(Failure) in try RawRecord(line: Array(line.utf8)) }
    var view = EventView(
      width: TerminalSize(of: 1)?.columns, palette: palette, minor: EventAttribute.minor)
    view.host = host
    for event in events { view.note(event) }
    for event in events {
      if output.isNDJSON {
        try output.write(event)
      } else {
        try output.write(text: view.line(event))
      }
    }
  }
}
