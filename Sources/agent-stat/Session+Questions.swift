import Command
import Core
import Display
import Events
import Watching

extension Session {
  /// Writes what a question about the present comes to, once or again and again.
  func answer(
    watching: Bool = false, _ question: (Standing) throws(Failure) -> [any StreamRecord]
  ) throws(Failure) {
    // Opened once: who watches would be woken by a file that is opened.
    let watcher = Watcher(
      store: try Store(forQuestionsIn: directories), journal: try EventJournal(opening: directories)
    )
    guard watching else {
      return try write(try question(standing(watcher)))
    }
    try watch { () throws(Failure) in try question(standing(watcher)) }
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

  /// Writes events as they are in the log, on a terminal as stream-tail shows them.
  func write(events lines: [String]) throws(Failure) {
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

  /// Writes plots of calls.
  func write(_ plots: CallPlots) throws(Failure) {
    let text = RecordText(width: TerminalSize(of: 1)?.columns, palette: palette)
    try output.write(text: plots.text(text))
  }
}
