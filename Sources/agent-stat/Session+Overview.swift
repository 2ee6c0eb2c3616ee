import Command
import Core
import Display
import Events
import HubClient
import HubQuestions
import Watching

extension Session {
  /// Shows all activity on the full screen of a terminal.
  ///
  /// Keys open items, decide gates and steer agents.
  func watchOverview(_ hub: HubOptions) async throws(Failure) {
    let place = try Place(hub.hub, self)
    try await place.wait { () throws(Failure) in
      try self.watchOverview(try place.lookout(), hub: place.hub?.name, host: place.host)
    }
  }

  private func watchOverview(
    _ lookout: any Lookout, hub: String?, host: String?
  ) throws(Failure) {
    var view: WatchView?
    var note: String?
    guard
      try canWatch({ () throws(Failure) in
        [try lookout.outlook().overview()]
      })
    else { return }
    try WatchScreen(self).run { (text, size, keys) throws(Failure) in
      var text = text
      text.host = host
      let outlook = try lookout.outlook()
      var shown: WatchView
      if let view {
        shown = view
        // A key press is handled without a new query.
        if keys.isEmpty { shown.update(try items(outlook)) }
      } else {
        shown = WatchView(try items(outlook))
      }
      defer { view = shown }
      for key in keys {
        guard let request = shown.press(key) else { continue }
        switch request {
        case .quit: return .end
        case .suspend: return .suspend
        case .open(let item): try open(item, in: &shown, outlook, text)
        default: if let command = request.command(hub) { return .run(command) }
        }
      }
      // An open item is refreshed, because the item or the terminal's width may have changed.
      if keys.isEmpty, let item = shown.opened { try open(item, in: &shown, outlook, text) }
      if keys.isEmpty || note == nil { note = outlook.staleness?.sentence }
      guard let stale = note else { return .show(shown.lines(text, size)) }
      let line = text.palette.painted(Cells.cut(stale, to: size.columns), .warning)
      let room = TerminalSize(columns: size.columns, rows: max(3, size.rows - 1))
      return .show([line] + shown.lines(text, room))
    }
  }

  private func items(_ outlook: any Outlook) throws(Failure) -> WatchedItems {
    let (overview, activity) = try outlook.activity()
    return WatchedItems(overview, activity: activity)
  }

  /// Shows the details of the given item.
  ///
  /// If the item disappears, its last details stay visible.
  private func open(
    _ item: WatchView.Item, in view: inout WatchView, _ outlook: any Outlook, _ text: RecordText
  ) throws(Failure) {
    do throws(Failure) {
      view.show(page: try page(item, outlook, text), of: item)
    } catch {
      guard error.code != .interrupted else { throw error }
      view.show(error.sentence)
    }
  }

  /// The maximum number of lines that are shown of the result at a gate.
  private static let linesOfResult = 100

  /// Returns the lines with the details of the given item.
  private func page(
    _ item: WatchView.Item, _ outlook: any Outlook, _ text: RecordText
  ) throws(Failure) -> [String] {
    var records: [any StreamRecord]
    var events: [String] = []
    var result: Artifact?
    switch item {
    case .agent(let id):
      let report = try outlook.report(ofAgent: id, events: 200)
      (records, events) = ([report.agent] + report.contexts + report.failingSkills, report.events)
    case .incident(let id):
      let report = try outlook.report(ofIncident: id)
      (records, events) = ([report.incident], report.events)
    case .swarm(let id):
      let report = try outlook.report(ofSwarm: id)
      records = [report.swarm] + report.agents + report.incidents
    case .gate(let id):
      let report = try outlook.report(ofGate: id)
      records = [report.gate] + report.decisions
      result = report.result
    }
    var view = EventView(
      width: text.width, palette: text.palette, minor: EventAttribute.minor)
    view.host = text.host
    var shown = try text.list(records)
    if let result {
      shown += "\n" + text.palette.painted(Visible.line(result.title), .heading) + "\n\n"
      shown += text.beginning(of: result, lines: Self.linesOfResult, hint: "")
    }
    if !events.isEmpty { shown += "\n" }
    let told = events.compactMap { try? RawRecord(line: Array($0.utf8)) }
    for event in told { view.note(event) }
    for event in told { shown += view.line(event) }
    return shown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

extension WatchView.Request {
  /// Returns the command that carries out the request, on this machine or at the given hub.
  fileprivate func command(_ hub: String?) -> [String]? {
    guard case .act(let action, let ids, let reason) = self else { return nil }
    let (tool, target): (String, [String]) =
      switch action {
      case .approve, .reject: ("gate-decide", ids)
      case .close, .reopen: ("agent-control", ["incident"] + ids)
      case .pause, .resume, .terminate: ("agent-control", ["agent"] + ids)
      }
    let why = reason.allSatisfy(\.isWhitespace) ? [] : ["--reason=\(reason)"]
    // After '--', an ID that begins with a dash is not an option.
    return [tool, action.rawValue, "--text"] + why + (hub.map { ["--hub=\($0)"] } ?? [])
      + ["--"] + target
  }
}
