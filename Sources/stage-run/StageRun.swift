import ArgumentParser
import Command
import Core
import Fetching
import HTTP
import Pipelines
import Providers
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
  static let valuesLeftOut = ["--wait": "999999999"]

  @Argument(help: "With --resume: the pipeline to go on with.")
  var id: String?
  @Flag(help: "Go on with begun pipelines; stdin is not read.")
  var resume = false
  @Flag(help: "Approve every result without asking.")
  var yolo = false
  @Option(help: ArgumentHelp("Stop before a pipeline costs more.", valueName: "dollars"))
  var maxCost: Double?
  @Option(help: ArgumentHelp("Stop before it uses more.", valueName: "tokens"))
  var maxTotalTokens: Int?
  @Option(
    help: ArgumentHelp("Wait for gate-decide so long; without a value, on.", valueName: "time"))
  var wait: Seconds?
  @Option(help: ArgumentHelp("Reject what nobody decided in time.", valueName: "time"))
  var gateTimeout: Seconds?
  @Flag(help: "Write answers as they arrive, as 'delta' records.")
  var stream = false
  @Option(help: "Run so many pipelines at once.")
  var jobs = 1
  @OptionGroup var models: ModelOptions
  @Flag(help: "Read pages on private addresses too.")
  var allowPrivate = false
  @Option(
    help: ArgumentHelp("Tell that the run lives so often.", valueName: "time", visibility: .hidden))
  var heartbeat = Seconds(seconds: 15)
  @Flag(help: "List stored pipelines.")
  var list = false
  @Option(help: "With --list: those of one status only.")
  var status: String?
  @Option(help: ArgumentHelp("Write one stored pipeline whole.", valueName: "id"))
  var show: String?
  @OptionGroup var common: CommonOptions

  var showsStages: Bool { !list && show == nil && !stream }

  func validate() throws {
    guard [resume, list, show != nil].count(where: { $0 }) <= 1 else {
      throw ValidationError("--resume, --list and --show exclude each other.")
    }
    guard id == nil || resume else { throw ValidationError("An id needs --resume.") }
    guard status == nil || list else { throw ValidationError("--status needs --list.") }
    guard status == nil || status.flatMap(PipelineStatus.init) != nil else {
      throw ValidationError(
        "--status is one of \(PipelineStatus.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    guard (0.1...3600).contains(heartbeat.value) else {
      throw ValidationError("--heartbeat must be between 0.1s and 1h.")
    }
    guard jobs >= 1 else { throw ValidationError("--jobs must be at least 1.") }
    guard maxCost.map({ $0.isFinite && $0 >= 0 }) ?? true, maxTotalTokens ?? 0 >= 0 else {
      throw ValidationError("A budget must not be negative.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    if list { return try writeList(session) }
    if let show { return try write(show, session) }
    let store: Store
    let work: [Work]
    if resume {
      guard let existing = try Store(existingIn: session.directories) else {
        if let id { throw Failure(.notFound, "there is no pipeline '\(id)'", input: id) }
        return
      }
      store = existing
      let ids = if let id { [id] } else { try store.unfinishedPipelines() }
      work = ids.map(Work.resume)
    } else {
      guard let plans = try readPlans(session) else { return }
      store = try Store(session.directories)
      // A plan that cannot be run stops all of them before anything is sent.
      _ = try plans.merged { (id) throws(Failure) in try store.pipeline(id) }
      work = plans.pipelineIds.map { .run($0, plans) }
    }
    let runner = try runner(session, store)
    let keeper = WatchKeeper(session.directories)
    defer { keeper.close() }
    try await session.showingProgress { () async throws(Failure) in
      await run(work, runner, session)
    }
  }

  /// One pipeline to run.
  private enum Work: Sendable {
    case run(String, FedPlans)
    case resume(String)
  }

  private func run(_ work: [Work], _ runner: PipelineRunner, _ session: Session) async {
    await withTaskGroup(of: Failure?.self) { group in
      for (index, item) in work.enumerated() {
        if index >= jobs, let failure = await group.next() ?? nil { session.fail(failure) }
        guard !Task.isCancelled else { break }
        group.addTask {
          switch item {
          case .run(let id, let plans): await runner.run(id, of: plans)
          case .resume(let id): await runner.resume(id)
          }
        }
      }
      for await failure in group { if let failure { session.fail(failure) } }
    }
  }

  private func runner(_ session: Session, _ store: Store) throws(Failure) -> PipelineRunner {
    let configuration = try session.configuration()
    let client = HTTPClient()
    let timeouts = HTTPTimeouts(
      connect: models.connectTimeout?.value, idle: models.idleTimeout?.value,
      total: models.totalTimeout?.value)
    let directory = ModelDirectory(
      configuration: configuration, keys: session.keys(configuration),
      environment: session.environment, timeouts: timeouts, client: client)
    let output = session.output
    return PipelineRunner(
      store: store, directories: session.directories, configuration: configuration,
      models: directory, client: ModelClient(retry: RetryPolicy(retries: models.retries)),
      fetcher: { allowPrivate in
        var options = FetchOptions(userAgent: session.userAgent)
        options.allowPrivate = allowPrivate
        return PageFetcher(client: client, options: options)
      },
      options: try runOptions(), streamsDeltas: stream,
      decide: approval(session, store),
      events: events(session),
      emit: { (record) throws(Failure) in try output.write(record) })
  }
}
