import ArgumentParser
import Command
import Core
import Events
import Watching

@main
struct AgentStat: ToolGroup {
  static let configuration = toolConfiguration(
    "agent-stat", abstract: "Tell how agents stand",
    discussion: """
      Examples:
        agent-stat
        agent-stat agents --status error | jq -r .id
        agent-stat agent linter
        agent-stat swarms --watch
      """,
    subcommands: [
      ShowOverview.self, ListSwarms.self, ShowSwarm.self, ListAgents.self, ShowAgent.self,
      ListIncidents.self, ShowIncident.self, ListContexts.self, ListSkills.self, ShowSkill.self,
      ListTerminals.self, ListThresholds.self, ListAudit.self,
    ], usual: ShowOverview.self)
}

/// Options of what can be shown again as it changes.
struct WatchOptions: ParsableArguments {
  @Flag(help: "Go on, and show what changes.")
  var watch = false
}

extension Session {
  /// Writes what a question about the present comes to, once or again and again.
  func write(
    watching: Bool = false,
    _ question: (Standing, Store) throws(Failure) -> [any StreamRecord]
  ) throws(Failure) {
    // Opened once: who watches would be woken by a file that is opened.
    let store = try Store(forQuestionsIn: directories)
    let watcher = Watcher(store: store, journal: try EventJournal(opening: directories))
    guard watching else {
      for record in try answer(question, store, watcher) { try output.write(record) }
      return
    }
    try watch { () throws(Failure) in try answer(question, store, watcher) }
  }

  /// Writes events as they are in the log, on a terminal as stream-tail shows them.
  func write(events lines: some Sequence<String>) throws(Failure) {
    var view = EventView(isColored: allowsColor)
    for line in lines {
      let event = try RawRecord(line: Array(line.utf8))
      if output.isNDJSON {
        try output.write(event)
      } else {
        try output.write(text: view.line(event))
      }
    }
  }

  private func answer(
    _ question: (Standing, Store) throws(Failure) -> [any StreamRecord], _ store: Store,
    _ watcher: Watcher
  ) throws(Failure) -> [any StreamRecord] {
    // What is shown to be the matter has been told: both look at one moment.
    let now = Timestamp.now
    for gap in try watcher.catchUp(at: now) {
      diagnostics.say("events between \(gap.from) and \(gap.to ?? "now") were gone uncounted")
    }
    return try question(try Standing(store, at: now), store)
  }
}

struct ShowOverview: Tool {
  static let configuration = verbConfiguration("overview", abstract: "Show what goes on")

  @OptionGroup var options: WatchOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write(watching: options.watch) { (standing, store) throws(Failure) in
      [standing.overview(gates: try store.gates(status: .pending))]
    }
  }
}

struct ListTerminals: Tool {
  static let configuration = verbConfiguration(
    "terminals", abstract: "List the tmux sessions of this machine, and who works in them")

  @OptionGroup var options: WatchOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write(watching: options.watch) { (standing, _) throws(Failure) in
      standing.withAgents(try LocalTerminals.all(session.environment))
    }
  }
}

struct ListThresholds: Tool {
  static let configuration = verbConfiguration(
    "thresholds", abstract: "List from where on something is the matter")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.write() { (standing, _) throws(Failure) in standing.thresholds }
  }
}

struct ListAudit: Tool {
  static let configuration = verbConfiguration(
    "audit", abstract: "List who decided and steered what")

  @Option(help: "Only so many, the newest.")
  var last: Int?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard last.map({ $0 >= 0 }) ?? true else {
      throw ValidationError("--last must not be negative.")
    }
  }

  func run(_ session: Session) throws(Failure) {
    guard let store = try Store(existingIn: session.directories) else { return }
    for entry in try store.audit(last: last) { try session.output.write(entry) }
  }
}
