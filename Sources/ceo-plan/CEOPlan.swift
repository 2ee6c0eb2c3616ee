import ArgumentParser
import Command
import Core
import Events
import Foundation
import HTTP
import Pipelines
import Providers

@main
struct CEOPlan: Tool {
  static let configuration = toolConfiguration(
    "ceo-plan", abstract: "Turn a goal into a pipeline of stages",
    discussion: """
      Examples:
        ceo-plan 'Compare SQLite WAL with the rollback journal' | stage-run --yolo | export-md
        ceo-plan - < goal.txt | jq -c 'select(.role != "qaReviewer")' | stage-run
      """)

  @Argument(help: "What is wanted; '-' or nothing reads it from stdin.")
  var goal: String?
  @Option(help: "The project that files go to.")
  var project: String?
  @Option(name: .customLong("url"), help: "A page to read; may be repeated.")
  var urls: [String] = []
  @OptionGroup var models: ModelOptions
  @Option(help: "The sampling temperature; 0.7 unless told otherwise.")
  var temperature: Double?
  @Flag(name: .customLong("continue"), help: "Go on with the last exchange.")
  var continues = false
  @Flag(help: "Read a CEO's reply from stdin instead of asking for one.")
  var parse = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard temperature.map({ (0...2).contains($0) }) ?? true else {
      throw ValidationError("The temperature must be between 0 and 2.")
    }
    guard !(parse && continues) else {
      throw ValidationError("--parse and --continue exclude each other.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    if parse { return try parseReply(session) }
    let planning = try planning(session)
    if let goal, goal != "-" {
      return try await plan(self.goal(goal), planning, session)
    }
    var input = session.input()
    guard try input.holdsRecords() else {
      return try await plan(self.goal(try input.text()), planning, session)
    }
    while let item = try input.next() {
      switch item {
      case .bad(let failure): session.fail(failure)
      case .record(let record) where record.type == Goal.type:
        do {
          try await plan(try self.goal(from: record), planning, session)
        } catch  where error.code != .interrupted && error.code != .storageFailed {
          session.fail(error.at(record.source))
        }
      case .record(let record): try session.passOn(record)
      }
    }
  }

  /// A plan is stored before it is told.
  private func plan(
    _ goal: Goal, _ planning: Planning, _ session: Session
  ) async throws(Failure) {
    guard goal.text.contains(where: { !$0.isWhitespace }) else {
      throw Failure(.badInput, "the goal is empty")
    }
    session.diagnostics.progress("planning with \(planning.modelName) …")
    let began = Timestamp.now
    let earlier = continues ? try planning.store.lastExchange() : nil
    let outcome = try await planning.planner.plan(goal, after: earlier)
    session.diagnostics.progress("")
    session.diagnostics.timing("planning", seconds: Timestamp.now.seconds(since: began))
    for reason in outcome.dropped { session.diagnostics.say("left out of the plan: \(reason)") }
    if let plan = outcome.plan { try session.write(plan) }
    if let reply = outcome.reply { try session.output.write(reply) }
    if let failure = outcome.failure { throw failure }
  }

  private func parseReply(_ session: Session) throws(Failure) {
    var input = session.input()
    let parsed = try PlanParser.parse(try input.text())
    for reason in parsed.dropped { session.diagnostics.say("left out of the plan: \(reason)") }
    let goal = goal == "-" ? "" : goal ?? ""
    let pipeline = Pipeline(
      id: Identifier.make(), project: project, goal: goal, createdAt: .now)
    try session.write(Planner.plan(parsed, pipeline))
  }

  private func goal(_ text: String) -> Goal {
    Goal(
      text: text.trimmingCharacters(in: .whitespacesAndNewlines), project: project,
      urls: urls.isEmpty ? nil : urls)
  }

  private func goal(from record: RawRecord) throws(Failure) -> Goal {
    var goal = try Goal(record)
    goal.project = project ?? goal.project
    goal.urls = urls.isEmpty ? goal.urls : (goal.urls ?? []) + urls
    return goal
  }

  /// What planning needs, made once for all goals.
  private struct Planning {
    var store: Store
    var planner: Planner
    var modelName: String
  }

  private func planning(_ session: Session) throws(Failure) -> Planning {
    let configuration = try session.configuration()
    let team = try ConfigurationFile.team(models.team)
    let timeouts = HTTPTimeouts(
      connect: models.connectTimeout?.value, idle: models.idleTimeout?.value,
      total: models.totalTimeout?.value)
    let directory = ModelDirectory(
      configuration: configuration, keys: session.keys(configuration),
      environment: session.environment, timeouts: timeouts, client: HTTPClient())
    let choice = try directory.choose(
      role: .ceo, flag: models.model, team: team, record: nil)
    let role = team[.ceo] ?? configuration.roles[.ceo]
    let store = try Store(session.directories)
    let planner = Planner(
      store: store, directories: session.directories,
      client: ModelClient(retry: RetryPolicy(retries: models.retries)), choice: choice,
      system: role?.system,
      temperature: temperature ?? role?.temperature ?? RolePrompt.temperature(.ceo),
      events: RunEvents(EventJournal(session.directories) { session.diagnostics.say($0) }))
    return Planning(store: store, planner: planner, modelName: choice.name)
  }
}

extension Session {
  fileprivate func write(_ plan: StoredPipeline) throws(Failure) {
    try output.write(plan.pipeline)
    for stage in plan.stages { try output.write(stage) }
  }
}
