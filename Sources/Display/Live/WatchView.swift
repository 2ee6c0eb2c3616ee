import Core

/// A full-screen view of current activity.
///
/// Items that need a person are at the top. Swarms and agents follow. The view is a value: keys and
/// new data change it, and ``lines(_:_:)`` draws it.
public struct WatchView: Sendable {
  /// An item that a row of the view shows.
  public enum Item: Sendable, Hashable {
    case gate(String)
    case incident(String)
    case swarm(String)
    case agent(String)
  }

  /// An operation that a key press requests from the caller.
  public enum Request: Sendable, Hashable {
    case quit
    case suspend
    /// Show all details of the given item.
    case open(Item)
    /// Perform the action on the items with the given ids.
    ///
    /// The reason is the text that the user typed, if the action needs one.
    case act(Action, ids: [String], reason: String)
  }

  /// An action on items.
  ///
  /// The user may give a reason for it.
  public enum Action: String, Sendable {
    case approve, reject, pause, resume, terminate, close, reopen
  }

  /// All watched items, and the items that the list currently shows.
  private var all: WatchedItems
  private var watched: WatchedItems
  /// The words that filter the rows.
  ///
  /// `isFiltering` is `true` while the user types them.
  private var filter = ""
  private var isFiltering = false
  private var order = WatchOrder.severity
  /// The marked incidents, and the incidents that were closed last.
  private var marked: Set<String> = []
  private var closed: [String] = []
  private var items: [Item] = []
  /// The laid-out parts of the list.
  ///
  /// They are valid until the list or the width changes.
  private var parts: (list: [WatchPart], width: Int?)?
  private var chosen = 0
  /// `true` if the selected item disappeared and no other item was selected since.
  private var isGone = false
  private var isHelping = false
  /// The item whose details are shown; nil while the list is shown.
  public private(set) var opened: Item?
  /// The pager with the details of the opened item.
  private var page = Pager()
  /// The action that waits for a key or a reason, with the text of the reason typed so far.
  private var question: (action: Action, ids: [String], reason: String)?
  private var note = ""
  /// The number of rows of the list by which the page keys scroll.
  private var pageRows = 10

  /// Creates a view of the given watched items.
  public init(_ watched: WatchedItems) {
    (all, self.watched) = (watched, watched)
    items = watched.all
  }

  /// Replaces the watched items.
  ///
  /// The selected item stays selected.
  public mutating func update(_ watched: WatchedItems) {
    all = watched
    marked.formIntersection(watched.overview.activeIncidents.map(\.id))
    list()
  }

  /// Rebuilds the list with the current order and filter.
  private mutating func list() {
    let item = item
    watched = all.listed(filter, by: order)
    parts = nil
    items = watched.all
    if let item, let place = items.firstIndex(of: item) {
      chosen = place
    } else {
      // If the selected item disappeared, keys must not act on the row that took its position.
      isGone = isGone || item != nil
      chosen = min(chosen, max(0, items.count - 1))
    }
  }

  /// Shows the details of the given item in place of the list, until a key is pressed.
  ///
  /// If the same details are already shown, the scroll position is kept.
  public mutating func show(page lines: [String], of item: Item) {
    if opened == item { page.update(lines) } else { page = Pager(lines) }
    opened = item
  }

  /// Shows the given message in the last row, until a key is pressed.
  public mutating func show(_ note: String) { self.note = note }

  // MARK: Keys

  /// Handles the given key.
  ///
  /// - Returns: The request that results from the key; nil if the key changes only the view.
  public mutating func press(_ key: Key) -> Request? {
    note = ""
    if key == .control("z") { return .suspend }
    if isHelping {
      isHelping = false
      return nil
    }
    if let question { return answer(question, key) }
    if isFiltering {
      type(key)
      return nil
    }
    if opened != nil {
      turn(key)
      return nil
    }
    if let rows = key.move(page: pageRows, all: items.count) {
      move(by: rows)
      return nil
    }
    switch key {
    case .character("q"): return .quit
    case .character("?"), .character("h"): isHelping = true
    case .enter, .character("o"): return item.map { .open($0) }
    case .escape: clear()
    case .character("/"): isFiltering = true
    case .character("s"):
      order = order.next
      list()
    case .character("M"): markAll()
    case .character("u"): askToReopen()
    case .character(let letter): return act(letter)
    default: break
    }
    return nil
  }

  private var item: Item? { !isGone && items.indices.contains(chosen) ? items[chosen] : nil }

  private mutating func move(by rows: Int) {
    isGone = false
    chosen = min(max(0, chosen + rows), max(0, items.count - 1))
  }

  private mutating func turn(_ key: Key) {
    if page.press(key) { return }
    switch key {
    case .character("q"), .escape, .enter, .character("o"), .backspace: opened = nil
    default: break
    }
  }

  private mutating func act(_ letter: Character) -> Request? {
    switch (letter, item) {
    case ("a", .gate(let id)): question = (.approve, [id], "")
    case ("r", .gate(let id)): question = (.reject, [id], "")
    case ("p", .agent(let id)): question = (.pause, [id], "")
    case ("c", .agent(let id)): question = (.resume, [id], "")
    case ("t", .agent(let id)): question = (.terminate, [id], "")
    case ("x", _) where !marked.isEmpty: question = (.close, marked.sorted(), "")
    case ("x", .incident(let id)): question = (.close, [id], "")
    case ("m", .incident(let id)):
      marked.formSymmetricDifference([id])
      move(by: 1)
    case ("a", _), ("r", _): note = "choose a gate first"
    case ("p", _), ("c", _), ("t", _): note = "choose an agent first"
    case ("x", _), ("m", _): note = "choose an incident first"
    default: note = "'\(Visible.line(String(letter)))' is not a key; ? lists them"
    }
    return nil
  }

  private mutating func answer(
    _ asked: (action: Action, ids: [String], reason: String), _ key: Key
  ) -> Request? {
    var reason = asked.reason
    switch key {
    case .escape, .control("u"):
      question = nil
      return nil
    case .enter:
      if asked.action == .reject, reason.count < 10 { return nil }
      let needsNone = asked.action == .approve || asked.action == .reopen
      guard needsNone || !reason.allSatisfy(\.isWhitespace) else { return nil }
      question = nil
      if asked.action == .close { (closed, marked) = (asked.ids, []) }
      if asked.action == .reopen { closed = [] }
      return .act(asked.action, ids: asked.ids, reason: reason)
    case .backspace: _ = reason.popLast()
    case .character(let character) where reason.count < 500: reason.append(character)
    default: break
    }
    question = (asked.action, asked.ids, reason)
    return nil
  }

  /// Handles the given key while the user types the filter.
  ///
  /// The list is filtered at once.
  private mutating func type(_ key: Key) {
    switch key {
    case .enter: isFiltering = false
    case .escape: clear()
    case .control("u"): filter = ""
    case .backspace: _ = filter.popLast()
    case .character(let character) where filter.count < 200: filter.append(character)
    default: break
    }
    list()
    // While a filter is typed, no item is selected yet.
    if !items.isEmpty, isGone { (isGone, chosen) = (false, 0) }
  }

  /// Clears the filter and all marks.
  private mutating func clear() {
    (filter, isFiltering, marked) = ("", false, [])
    list()
  }

  /// Marks all listed incidents.
  ///
  /// If all are already marked, they are unmarked.
  private mutating func markAll() {
    let listed = watched.overview.activeIncidents.map(\.id)
    if marked.isSuperset(of: listed) { marked.subtract(listed) } else { marked.formUnion(listed) }
  }

  private mutating func askToReopen() {
    if closed.isEmpty {
      note = "nothing was closed here: use agent-control reopen"
    } else {
      question = (.reopen, closed, "")
    }
  }

  // MARK: Drawing

  /// Returns the rows of the screen.
  ///
  /// No row is wider than the screen.
  public mutating func lines(_ text: RecordText, _ size: TerminalSize) -> [String] {
    let room = max(1, size.rows - 2)
    pageRows = max(1, room - 1)
    let body: [String]
    if isHelping {
      body = Self.help
    } else if opened != nil {
      body = page.part(room)
    } else {
      if parts == nil || parts?.width != text.width { parts = (watched.parts(text), text.width) }
      let marks = items.indices.filter { index in
        if case .incident(let id) = items[index] { marked.contains(id) } else { false }
      }
      body =
        WatchRows(
          parts?.list ?? [], chosen: isGone ? -1 : chosen, marked: Set(marks), rows: room,
          text: text, none: filter.isEmpty ? "No agent is running." : "No row contains '\(filter)'."
        ).lines
    }
    let shown = body.prefix(room)
    let empty = Array(repeating: "", count: room - shown.count)
    return [title(text, size)] + shown + empty + [keys(text, size)]
  }

  private func title(_ text: RecordText, _ size: TerminalSize) -> String {
    let overview = all.overview
    let waiting = overview.awaitedDecisions
    // An agent may wait for its next prompt, or for a usage limit.
    let agents = overview.activeSessions.count { $0.status == .waiting }
    let idle = agents == 0 ? "nothing needs you" : agents == 1 ? "1 waits" : "\(agents) wait"
    var words = [
      Numbers.of(overview.activeSessions.count, "agent"),
      Numbers.of(overview.activeSwarms.count, "swarm"),
      waiting == 0 ? idle : waiting == 1 ? "1 needs you" : "\(waiting) need you",
    ]
    let incidents = overview.activeIncidents.count
    if incidents > 0 { words.append(Numbers.of(incidents, "incident")) }
    if !filter.isEmpty { words.append("with '\(Visible.line(filter))'") }
    if order != .severity { words.append("by \(order.rawValue)") }
    if !marked.isEmpty { words.append("\(marked.count) marked") }
    let time = Ago.time(text.now) + " UTC"
    let left = Cells.cut(words.joined(separator: " · "), to: size.columns)
    let gap = size.columns - Cells.width(left) - Cells.width(time)
    let line = gap >= 2 ? left + String(repeating: " ", count: gap) + time : left
    return text.palette.painted(line, waiting + incidents == 0 ? .strong : .warning)
  }

  private func keys(_ text: RecordText, _ size: TerminalSize) -> String {
    if isFiltering {
      return "/" + Cells.cut(Visible.line(filter) + "_", to: size.columns - 1, keepingEnd: true)
    }
    if let question {
      let typed = Visible.line(question.reason) + "_"
      let ids = question.ids
      let whom = ids.count == 1 ? ShortIDs().short(ids[0]) : Numbers.of(ids.count, "incident")
      let name = "\(question.action.rawValue) \(whom)"
      let need =
        switch question.action {
        case .approve, .reopen: "enter confirms, escape cancels"
        case .reject: "reason, at least 10 characters:"
        case .pause, .resume, .terminate, .close: "why?"
        }
      // A reason gets at least half of the row. A single key needs no room.
      let isKey = [.approve, .reopen].contains(question.action)
      let asked = Cells.cut("\(name): \(need) ", to: isKey ? size.columns - 1 : size.columns / 2)
      return asked + Cells.cut(typed, to: size.columns - Cells.width(asked), keepingEnd: true)
    }
    var words = note
    if words.isEmpty {
      let acts =
        switch item {
        case .gate: "a approve  r reject  "
        case .incident: "x close  m mark  u undo  "
        case .agent: "p pause  c continue  t terminate  "
        case .swarm, nil: ""
        }
      words =
        isHelping
        ? "any key goes back"
        : opened != nil
          ? "q back  j and k move  " + (page.isWhole ? "" : page.place)
          : "? help  q quit  enter open  \(acts)/ filter  s sort"
    }
    return text.palette.painted(
      Cells.cut(words, to: size.columns), note.isEmpty ? .faint : .warning)
  }

  private static let help = [
    "", "  up, down, j, k       choose a row", "  page up, page down   a page on",
    "  g, G                 the first row, the last",
    "  enter, o             show all details; the same keys move there",
    "  /                    list rows that contain some words; escape lists all",
    "  s                    sort by severity, time, name, errors",
    "", "  a, r                 approve or reject the gate (gate-decide)",
    "  p, c, t              pause, continue, terminate the agent (agent-control)",
    "  m, M                 mark the incident, mark all that are listed",
    "  x                    close the marked incidents, or this one (agent-control)",
    "  u                    reopen what was closed here last", "",
    "  ?                    these keys", "  q                    end", "",
    "  Any key goes back.",
  ]
}
