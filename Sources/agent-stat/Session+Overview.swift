import Command
import Core
import Display
import Events
import Requests
import Watching

extension Session {
  /// Watches all that goes on, on a whole terminal, and takes keys that open, decide and steer.
  func watchOverview() throws(Failure) {
    let journal = try EventJournal(opening: directories)
    let watcher = Watcher(store: try Store(forQuestionsIn: directories), journal: journal)
    var view: WatchView?
    guard
      try canWatch({ () throws(Failure) in
        [try standing(watcher).overview()]
      })
    else { return }
    try WatchScreen(self).run { (text, size, keys) throws(Failure) in
      let standing = try standing(watcher)
      var shown: WatchView
      if let view {
        shown = view
        // Keys alone are answered without a look at everything.
        if keys.isEmpty { shown.update(try items(standing)) }
      } else {
        shown = WatchView(try items(standing))
      }
      defer { view = shown }
      for key in keys {
        guard let request = shown.press(key) else { continue }
        switch request {
        case .quit: return .end
        case .suspend: return .suspend
        case .open(let item): try open(item, in: &shown, standing, text)
        default: if let command = request.command { return .run(command) }
        }
      }
      // What is open is told anew: it goes on, and the terminal may have another width.
      if keys.isEmpty, let item = shown.opened { try open(item, in: &shown, standing, text) }
      return .show(shown.lines(text, size))
    }
  }

  private func items(_ standing: Standing) throws(Failure) -> WatchedItems {
    let (overview, activity) = try standing.activity()
    return WatchedItems(overview, activity: activity)
  }

  /// Shows all that is told of an item; where nothing is any more, what was told stays.
  private func open(
    _ item: WatchView.Item, in view: inout WatchView, _ standing: Standing, _ text: RecordText
  ) throws(Failure) {
    do throws(Failure) {
      view.show(page: try page(item, standing, text), of: item)
    } catch {
      guard error.code != .interrupted else { throw error }
      view.say(error.explanation)
    }
  }

  /// So many lines of a result are shown above the decision about it.
  private static let linesOfResult = 100

  /// All that is told of an item.
  private func page(
    _ item: WatchView.Item, _ standing: Standing, _ text: RecordText
  ) throws(Failure) -> [String] {
    var records: [any StreamRecord]
    var events: [String] = []
    var result: Artifact?
    switch item {
    case .agent(let id):
      let journal = EventJournal(directories)
      let report = try standing.report(ofAgent: id, events: 200, in: journal)
      (records, events) = ([report.agent] + report.contexts + report.failingSkills, report.events)
    case .incident(let id):
      let report = try standing.report(ofIncident: id)
      (records, events) = ([report.incident], report.events)
    case .swarm(let id):
      let report = try standing.report(ofSwarm: id)
      records = [report.swarm] + report.agents + report.incidents
    case .gate(let id):
      let store = try Store(forQuestionsIn: directories)
      guard let found = try Gates.find(id, in: store, at: text.now) else {
        throw Failure(.notFound, "there is no gate '\(id)'", input: id)
      }
      records = [found.gate] + found.decisions
      result = try Gates.result(of: found.gate, in: store)
    }
    var view = EventView(
      width: text.width, palette: text.palette, minor: EventAttribute.minor)
    var shown = try text.list(records)
    if let result {
      shown += "\n" + text.palette.painted(Visible.line(result.title), .heading) + "\n\n"
      shown += text.beginning(of: result, lines: Self.linesOfResult, hint: "")
    }
    if !events.isEmpty { shown += "\n" }
    for line in events {
      if let event = try? RawRecord(line: Array(line.utf8)) { shown += view.line(event) }
    }
    return shown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

extension WatchView.Request {
  /// The command that does it.
  fileprivate var command: [String]? {
    switch self {
    case .quit, .suspend, .open: nil
    // What stands behind '--' is no option, whatever it is called.
    case .act(.approve, let gate, let reason):
      ["gate-decide", "approve", "--text"] + (reason.isEmpty ? [] : ["--reason=\(reason)"])
        + ["--", gate]
    case .act(.reject, let gate, let reason):
      ["gate-decide", "reject", "--reason=\(reason)", "--text", "--", gate]
    case .act(.close, let incident, let reason):
      ["agent-control", "close", "--reason=\(reason)", "--text", "--", "incident", incident]
    case .act(let action, let agent, let reason):
      ["agent-control", action.rawValue, "--reason=\(reason)", "--text", "--", "agent", agent]
    }
  }
}
