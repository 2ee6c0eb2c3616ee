import ArgumentParser
import Command
import Core
import Events
import HubClient
import Pipelines
import Stages
import Watching

@main
struct StageRun: Tool {
  static let configuration = toolConfiguration(
    "stage-run", abstract: "Run stages, in order, with approval",
    discussion: """
      Examples:
        ceo-plan 'Compare …' | stage-run --yolo | export-md
        stage-run --resume
        stage-run --show 01933b1c-… | export-md
      """)

  /// Gives `--wait` a value, unless a time follows; that time is its value, and not an ID.
  static func arranged(_ arguments: [String]) -> [String] {
    filled(arguments, ["--wait": "999999999"]) { Seconds(argument: $0) != nil }
  }

  @Argument(help: "With --resume, the pipeline to resume.", completion: .unfinishedPipelines)
  var id: String?
  @Flag(help: "Resume unfinished pipelines; do not read stdin.")
  var resume = false
  @Flag(help: "Approve every result without asking.")
  var yolo = false
  @Option(
    help: ArgumentHelp("Pause before a pipeline exceeds this cost.", valueName: "dollars"),
    transform: Double.decimal)
  var maxCost: Double?
  @Option(
    help: ArgumentHelp(
      "Pause before a pipeline exceeds this many tokens.", valueName: "tokens"))
  var maxTotalTokens: Int?
  @Option(
    help: ArgumentHelp("Wait for gate-decide; without a value, forever.", valueName: "time"))
  var wait: Seconds?
  @Option(help: ArgumentHelp("Reject a gate after this time.", valueName: "time"))
  var gateTimeout: Seconds?
  @Flag(help: "Write 'delta' records while answers arrive.")
  var stream = false
  @Option(help: "Run this many pipelines at once.")
  var jobs = 1
  @OptionGroup var models: ModelOptions
  @Flag(help: ArgumentHelp("Allow pages on private addresses.", visibility: .hidden))
  var allowPrivate = false
  @Option(
    help: ArgumentHelp("Interval between heartbeats.", valueName: "time", visibility: .hidden))
  var heartbeat = Seconds(seconds: 15)
  @OptionGroup var listing: ListOptions
  @Option(
    help: ArgumentHelp("Write all records of a stored pipeline.", valueName: "id"),
    completion: .pipelines)
  var show: String?
  @Option(help: ArgumentHelp("Cancel a pipeline that is not running.", valueName: "id"))
  var cancel: String?
  @Option(help: ArgumentHelp("Delete a plan that was never run.", valueName: "id"))
  var delete: String?
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  var showsStages: Bool { !listing.list && [show, cancel, delete] == [nil, nil, nil] && !stream }

  func validate() throws {
    let deeds = [resume, listing.list, show != nil, cancel != nil, delete != nil]
    guard deeds.count(where: { $0 }) <= 1 else {
      throw ValidationError(
        "--resume, --list, --show, --cancel and --delete exclude each other.")
    }
    guard id == nil || resume else { throw ValidationError("An id needs --resume.") }
    guard (0.1...3600).contains(heartbeat.value) else {
      throw ValidationError("--heartbeat must be between 0.1s and 1h.")
    }
    guard jobs >= 1 else { throw ValidationError("--jobs must be at least 1.") }
    guard maxCost.map({ $0.isFinite && $0 >= 0 }) ?? true, maxTotalTokens ?? 0 >= 0 else {
      throw ValidationError("A budget must not be negative.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    if let records = try stored(session.directories) { return try await write(records, session) }
    guard let order = try order(session) else { return }
    guard !order.ids.isEmpty || !session.diagnostics.isTerminal else {
      session.diagnostics.report(
        "there is no unfinished run; to run a waiting plan, pass its id")
      return
    }
    let place = try Place(hub.hub, session)
    let sink = place.sink()
    let runner = try runner(session, order.store, recordingTo: sink, place)
    // If a hub is used, it processes the events itself.
    let keeper = place.here { WatchKeeper(session.directories, report: session.report) }
    defer { keeper?.close() }
    try await sink.finishing { () async throws(Failure) in
      try await session.showingProgress { () async throws(Failure) in
        await runner.run(order, jobs: jobs) { session.fail($0) }
      }
    }
    if session.diagnostics.isTerminal, let next = next(order, session) {
      session.diagnostics.report(next)
    }
  }

  /// Returns the records for `--list`, `--show`, `--cancel` or `--delete`; nil if none is set.
  private func stored(_ directories: Directories) throws(Failure) -> [any StreamRecord]? {
    if listing.list {
      return try StoredRuns(directories).pipelines(listing.wanted, limit: listing.limit)
    }
    if let show { return try StoredRuns(directories).records(of: show) }
    let plans = StoredPlans(directories)
    if let cancel { return [try plans.cancel(cancel, by: LoginName.current)] }
    return try delete.map { (id) throws(Failure) in [try plans.delete(id)] }
  }

  /// Writes the given records, and after a cancellation notifies the hub that owns the gates.
  private func write(_ records: [any StreamRecord], _ session: Session) async throws(Failure) {
    try session.write(records)
    if cancel != nil { try await Place(nil, isHere: true, session).sendDecisions() }
  }

  /// Returns a sentence that suggests the user's next command; nil if there is none.
  private func next(_ order: RunOrder, _ session: Session) -> String? {
    if session.interruption.signal != nil { return "run 'stage-run --resume' to continue" }
    // If the results are piped to another program, that program reports on them.
    guard session.isOnTerminal else { return nil }
    guard order.ids.count == 1, let id = order.ids.first else {
      return "run 'stage-run --list' to list all runs"
    }
    return "run 'stage-run --show \(id.suffix(8))' to see the results"
  }

  private func order(_ session: Session) throws(Failure) -> RunOrder? {
    if resume { return try RunOrder(resuming: id, in: session.directories) }
    var input = session.input()
    let plans = try FedPlans.read(&input) { (record) throws(Failure) in
      try session.passOn(record)
    } fail: {
      session.fail($0)
    }
    return try plans.map { (plans) throws(Failure) in
      try RunOrder(plans, in: session.directories)
    }
  }
}
