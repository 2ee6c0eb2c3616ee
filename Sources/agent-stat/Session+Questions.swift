import Command
import Core
import Display
import Events
import HubClient
import HubQuestions
import Storage
import Watching

extension Session {
  /// Asks how everything stands, this machine or a hub, and writes what that comes to, once or again
  /// and again.
  ///
  /// - Parameters:
  ///   - hub: Which hub.
  ///   - watching: Whether to go on.
  ///   - question: What is asked.
  /// - Returns: The answer.
  /// - Throws: What asking and writing throws.
  @discardableResult
  func answer(
    _ hub: HubOptions, watching: Bool = false,
    _ question: @escaping @Sendable (any Outlook) throws(Failure) -> StatAnswer
  ) async throws(Failure) -> StatAnswer {
    guard let answers = try answers(of: hub) else {
      // Opened once: who watches would be woken by a file that is opened.
      let watcher = try watcher()
      return try show(watching) { () throws(Failure) in try question(try standing(watcher)) }
    }
    return try await answer(answers, watching: watching) { (outlook) throws(Failure) in
      try question(outlook)
    }
  }

  /// Asks a hub, as ``answer(_:watching:_:)``.
  @discardableResult
  func answer(
    _ answers: HubAnswers, watching: Bool = false,
    _ question: @escaping @Sendable (HubOutlook) throws(Failure) -> StatAnswer
  ) async throws(Failure) -> StatAnswer {
    try await Blocking("agent-stat.hub").run { () throws(Failure) in
      try self.show(watching) { () throws(Failure) in
        let outlook = HubOutlook(answers)
        var answer = try question(outlook)
        answer.staleness = outlook.staleness
        return answer
      }
    }
  }

  /// What a hub answers; nil where this machine is meant.
  func answers(of hub: HubOptions) throws(Failure) -> HubAnswers? {
    try self.hub(hub, HubPeer.init(named:in:keys:directories:)).map {
      HubAnswers($0, directories, interruption: interruption)
    }
  }

  /// What keeps this machine's state up to date.
  func watcher() throws(Failure) -> Watcher {
    Watcher(
      store: try Store(forQuestionsIn: directories), journal: try EventJournal(opening: directories)
    )
  }

  /// How everything stands, with what was logged taken in.
  func standing(_ watcher: Watcher) throws(Failure) -> Standing {
    // What is shown to be the matter has been told: both look at one moment.
    let now = Timestamp.now
    for gap in try watcher.catchUp(at: now) {
      diagnostics.say("events between \(gap.from) and \(gap.to ?? "now") were gone uncounted")
    }
    return watcher.standing(at: now)
  }

  private func show(
    _ watching: Bool, _ ask: () throws(Failure) -> StatAnswer
  ) throws(Failure) -> StatAnswer {
    guard watching else {
      let answer = try ask()
      try write(answer)
      return answer
    }
    var last = StatAnswer([])
    try watch(note: { last.staleness?.sentence }) { () throws(Failure) in
      let answer = try ask()
      // What is stale is told once, not again for each second that it is older.
      guard output.isNDJSON, answer.staleness != nil, last.staleness != nil else {
        if output.isNDJSON { tell(answer.staleness) }
        last = answer
        return answer.records
      }
      return last.records
    }
    return last
  }

  private func write(_ answer: StatAnswer) throws(Failure) {
    if output.isNDJSON {
      tell(answer.staleness)
    } else if let staleness = answer.staleness {
      let line = palette.painted(staleness.sentence, .warning)
      try output.write(text: line + "\n")
    }
    try write(answer.records)
    try write(events: answer.events)
    if let plots = answer.plots, !output.isNDJSON {
      let text = RecordText(width: TerminalSize(of: 1)?.columns, palette: palette)
      try output.write(text: plots.text(text))
    }
  }

  private func tell(_ staleness: Staleness?) {
    if let staleness { diagnostics.say(staleness.sentence) }
  }

  /// Writes events as they are in the log, on a terminal as stream-tail shows them.
  private func write(events lines: [String]) throws(Failure) {
    var view = EventView(
      width: TerminalSize(of: 1)?.columns, palette: palette, minor: EventAttribute.minor)
    for line in lines {
      let event = try RawRecord(line: Array(line.utf8))
      if output.isNDJSON {
        try output.write(event)
      } else {
        try output.write(text: view.line(event))
      }
    }
  }
}
