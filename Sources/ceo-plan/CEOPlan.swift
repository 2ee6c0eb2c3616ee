import ArgumentParser
import Command
import Core
import Events
import HubClient
import Pipelines
import Planning
import Providers

@main
struct CEOPlan: Tool {
  static let configuration = toolConfiguration(
    "ceo-plan", abstract: "Turn a goal into a pipeline of stages",
    discussion: """
      Examples:
        ceo-plan 'Compare SQLite WAL with a rollback journal' | stage-run | export-md
        ceo-plan --continue 'Drop the second stage'
        ceo-plan - < goal.txt | jq -c 'select(.role != "qaReviewer")' | stage-run
      """)

  @Argument(help: "The goal; '-' or nothing reads it from stdin.")
  var goal: String?
  @Option(help: "The project name, for exported files.")
  var project: String?
  @Option(name: .customLong("url"), help: "A page to use as a source; may be repeated.")
  var urls: [String] = []
  @OptionGroup var models: ModelOptions
  @Option(
    help: "Sampling temperature, if the model accepts one.", transform: Double.decimal)
  var temperature: Double?
  @Flag(name: .customLong("continue"), help: "Continue the last exchange.")
  var continues = false
  @Flag(help: "Parse a reply from stdin instead of asking a model.")
  var parse = false
  @OptionGroup var hub: HubOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard temperature.map({ (0...2).contains($0) }) ?? true else {
      throw ValidationError("The temperature must be between 0 and 2.")
    }
    if let url = urls.first(where: { !NamedPages.isWebURL($0) }) {
      throw ValidationError("--url '\(Visible.line(url))' is not an http or https URL.")
    }
    guard !(parse && continues) else {
      throw ValidationError("--parse and --continue exclude each other.")
    }
    if let goal, !parse, GoalOptions.isVerb(goal) {
      throw ValidationError(
        "'\(goal)' alone is not a goal: write more words, or pass it on stdin.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    if parse { return try parseReply(session) }
    let sink = try Place(hub.hub, session).sink()
    try await sink.finishing { () async throws(Failure) in
      try await plan(try planner(session, recordingTo: sink), session)
    }
  }

  private func plan(_ planner: Planner, _ session: Session) async throws(Failure) {
    let goals = GoalOptions(project: project, urls: urls)
    if let goal, goal != "-" { return try await plan(try goals.goal(goal), planner, session) }
    var input = session.input()
    guard try input.holdsRecords() else {
      return try await plan(try goals.goal(try input.text()), planner, session)
    }
    while let item = try input.next() {
      switch item {
      case .bad(let failure): session.fail(failure)
      case .record(let record) where record.type == Goal.type:
        do {
          try await plan(try goals.goal(record), planner, session)
        } catch  where error.code != .interrupted && error.code != .storageFailed {
          session.fail(error.at(record.source))
        }
      case .record(let record): try session.passOn(record)
      }
    }
  }

  private func planner(
    _ session: Session, recordingTo sink: any EventSink
  ) throws(Failure) -> Planner {
    let configuration = try session.configuration()
    var options = PlannerOptions()
    options.model = models.model
    options.team = try ConfigurationFile.team(models.team)
    options.temperature = temperature
    options.effort = models.effort
    options.continues = continues
    let keys = session.keys(configuration)
    let access = ModelAccess(
      configuration, session.directories, keys: keys, environment: session.environment,
      timeouts: models.timeouts, retries: models.retries)
    return try Planner(
      session.directories, keys: keys, models: access, options: options,
      events: RunEvents(sink))
  }

  /// Plans the given goal, and writes the plan after it has been stored.
  private func plan(
    _ goal: Goal, _ planner: Planner, _ session: Session
  ) async throws(Failure) {
    session.diagnostics.progress("planning with \(planner.modelName) …")
    let began = Timestamp.now
    let outcome = try await planner.plan(goal)
    session.diagnostics.progress("")
    session.diagnostics.timing("planning", seconds: Timestamp.now.seconds(since: began))
    try session.end(with: outcome.failure) { () throws(Failure) in
      try session.write(outcome.plan, dropped: outcome.dropped)
      if let reply = outcome.reply { try session.output.write(reply) }
    }
  }

  private func parseReply(_ session: Session) throws(Failure) {
    var input = session.input()
    let goal = goal == "-" ? "" : goal ?? ""
    let named = Goal(text: goal).with { $0.urls = urls }
    let parsed = try PlanParser.parse(try input.text(), for: named)
    let pipeline = Pipeline(id: Identifier.make(), goal: goal).with {
      $0.project = project
      $0.stageModel = models.model.flatMap { $0.isEmpty ? nil : $0 }
      $0.createdAt = .now
    }
    try session.write(Planner.plan(parsed, pipeline), dropped: parsed.dropped)
  }
}

extension Session {
  fileprivate func write(_ plan: StoredPipeline?, dropped: [String]) throws(Failure) {
    for reason in dropped { diagnostics.report("skipped in the plan: \(reason)") }
    guard let plan else { return }
    try write([plan.pipeline] + plan.stages)
  }
}
