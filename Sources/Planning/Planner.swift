import Asking
import Catalogue
import Chats
public import Core
import Extraction
public import Keys
public import Pipelines
public import Providers
import Storage

/// A client that requests plans from the model of the role `ceo`.
///
/// Each exchange is stored, even if planning fails.
public struct Planner: Sendable {
  /// The outcome of planning.
  public struct Outcome: Sendable {
    /// The plan; nil if there is none.
    public var plan: StoredPipeline?
    /// The model's reply, if it contained no plan.
    public var reply: Message?
    /// The reasons why items of the plan were dropped, one sentence for each.
    public var dropped: [String] = []
    /// The failure that explains why there is no plan.
    public var failure: Failure?
  }

  /// The name of the model that plans.
  public var modelName: String { choice.name }

  private let chats: ChatStore
  private let client: ModelClient
  private let choice: ModelChoice
  private let kept: KeptModel?
  private let stageModel: String?
  private let system: String
  private let temperature: Double?
  private let effort: String?
  private let continues: Bool
  private let events: RunEvents

  /// Creates a planner; chooses the model and opens the store.
  ///
  /// - Parameters:
  ///   - directories: The directories that contain the store.
  ///   - keys: The key store. It holds the key that encrypts messages.
  ///   - models: The available models.
  ///   - options: The options for planning.
  ///   - events: The log of run events.
  /// - Throws: As ``ModelDirectory/choose(role:flag:team:record:)``; `PermissionDenied` if the key
  ///   for messages is missing; `StorageFailed` if the store cannot be opened.
  public init(
    _ directories: Directories, keys: KeyStore, models: ModelAccess, options: PlannerOptions,
    events: RunEvents
  ) throws(Failure) {
    kept = try Self.kept(directories, keys, options)
    do throws(Failure) {
      choice = try models.directory.choose(
        role: .ceo, flag: options.model, team: options.team, record: kept?.name)
    } catch {
      throw kept?.explained(error) ?? error
    }
    stageModel = options.model?.isEmpty == false ? choice.name : nil
    let role = options.team[.ceo] ?? models.configuration.roles[.ceo]
    system = role?.system ?? RolePrompt.system(.ceo)
    effort = options.effort ?? role?.effort
    try choice.check(temperature: nil, effort: options.effort)
    try choice.check(temperature: options.temperature, configuredEffort: effort)
    let accepts = choice.facts.accepts(.temperature, effort: effort ?? choice.effort)
    temperature =
      options.temperature ?? role?.temperature
      ?? (accepts == true ? RolePrompt.temperature(.ceo) : nil)
    continues = options.continues
    chats = try ChatStore(directories, keys: keys)
    client = models.client
    self.events = events
  }

  /// Returns the model of the exchange that is continued.
  ///
  /// It is nil if no exchange is continued, or if an option names a model.
  private static func kept(
    _ directories: Directories, _ keys: KeyStore, _ options: PlannerOptions
  ) throws(Failure) -> KeptModel? {
    guard options.continues, options.model == nil, options.team[.ceo]?.model == nil,
      let earlier = try ChatStore.existing(in: directories, keys: keys)?.lastPlanning()
    else { return nil }
    return try KeptModel(of: earlier.messages, option: "--model")
  }

  /// Plans the given goal and stores the result.
  ///
  /// - Parameter goal: The goal.
  /// - Returns: The plan, or the failure and the reply.
  /// - Throws: `StorageFailed` if the exchange to continue cannot be read.
  public func plan(_ goal: Goal) async throws(Failure) -> Outcome {
    let earlier = continues ? try chats.lastPlanning() : nil
    // The messages of a conversation are sorted by time and id.
    let asked = Message(role: "user", text: Self.prompt(goal)).with {
      $0.id = Identifier.make()
      $0.createdAt = .now
    }
    let replyId = Identifier.make()
    let request = request(goal, asked.text, after: earlier?.messages ?? [])
    var pipeline = pipeline(of: goal)
    pipeline.stageModel =
      stageModel ?? earlier?.messages.last { $0.role == "assistant" }?.stageModel
    events.planning(pipeline)
    let account = CallAccount(
      of: Call.Owner(tool: Call.Owner.planner, answerId: replyId), in: chats.store)
    let answered = await client.answer(request, choice: choice, on: account)
    pipeline.usage = answered.usage ?? Usage()
    pipeline.costUSD = answered.costUSD
    pipeline.createdAt = .now
    var outcome = outcome(answered, goal, pipeline, before: Self.pages(in: earlier?.messages ?? []))
    let (plan, call) = (outcome.plan, await account.uncommitted)
    let reply = reply(answered, replyId, to: goal, in: pipeline)
    do throws(Failure) {
      try account.commit { () throws(Failure) in
        try chats.store(
          reply.map { [asked, $0] } ?? [], ofPlanning: earlier?.chatId ?? Identifier.make()
        ) { database in
          if let plan { try database.save(new: plan) }
          if let call { try database.save(call) }
          try database.join(callsOf: replyId, to: plan?.pipeline.id)
        }
      }
    } catch {
      // The plan was paid for, so it is returned even if storing it failed.
      outcome.reply = outcome.plan == nil ? reply : nil
      outcome.failure = error
    }
    if let call = await account.whole(answered) {
      events.called(
        call, by: nil, of: pipeline, answered.failure, maxTokens: nil, redundancy: nil)
    }
    events.planned(outcome.plan?.pipeline ?? pipeline, outcome.failure)
    if outcome.failure?.code == .noPlan { outcome.reply = reply }
    return outcome
  }

  /// Returns the plan in the model's answer, or the reason why there is none.
  private func outcome(
    _ answered: ModelOutcome, _ goal: Goal, _ pipeline: Pipeline, before earlier: [String]
  ) -> Outcome {
    var outcome = Outcome()
    do throws(Failure) {
      guard let answer = answered.answer else { throw answered.reason }
      let parsed = try PlanParser.parse(answer.text, for: goal, before: earlier)
      outcome.plan = Self.plan(parsed, pipeline)
      outcome.dropped = parsed.dropped
    } catch {
      outcome.failure = kept?.explained(error) ?? error
    }
    return outcome
  }

  /// Returns a pipeline for the given goal, without stages.
  private func pipeline(of goal: Goal) -> Pipeline {
    let pipeline = Pipeline(id: Identifier.make(), goal: goal.text).with {
      $0.project = goal.project
      $0.model = choice.name
      $0.usage = Usage()
      $0.createdAt = .now
      $0.labels = goal.labels
    }
    return pipeline.with { $0.project = pipeline.projectName }
  }

  private func request(
    _ goal: Goal, _ prompt: String, after earlier: [Message]
  ) -> ModelRequest {
    let turns = earlier.map { ModelRequest.Turn(role: $0.role, text: $0.text) }
    var request = ModelRequest(
      system: system, turns: turns + [.init(role: "user", text: prompt)],
      temperature: temperature,
      brief: Brief(role: .ceo, goal: goal.text, task: goal.text, urls: goal.urls ?? []))
    request.effort = effort
    request.maximumOutputTokens = choice.facts.usualOutputTokens
    return request
  }

  /// Returns the model's reply, as it is stored in the chat; nil if there is no answer.
  private func reply(
    _ answered: ModelOutcome, _ id: String, to goal: Goal, in pipeline: Pipeline
  ) -> Message? {
    guard answered.answer != nil else { return nil }
    return Message(role: "assistant", text: "").with {
      $0.id = id
      $0.project = pipeline.project
      $0.stageModel = pipeline.stageModel
      $0.costUSD = 0
      $0.apply(answered, of: choice)
      // To continue the planning, only the text is needed.
      ($0.reasoning, $0.opaque, $0.firstTokenMs, $0.totalMs) = (nil, nil, nil, nil)
      $0.labels = goal.labels
    }
  }

  /// Returns the given pipeline with the stages of the given plan.
  public static func plan(_ parsed: PlanParser.Plan, _ pipeline: Pipeline) -> StoredPipeline {
    var pipeline = pipeline
    pipeline.stageCount = parsed.steps.count
    let stages = parsed.steps.enumerated().map { position, step in
      Stage(
        id: Identifier.make(), pipelineId: pipeline.id, position: position, role: step.role,
        task: step.task
      ).with {
        $0.researchURLs = step.researchURLs.isEmpty ? nil : step.researchURLs
        $0.labels = pipeline.labels
      }
    }
    return StoredPipeline(pipeline: pipeline, stages: stages)
  }

  /// Returns the pages in the last of the given messages in which a person named pages.
  private static func pages(in messages: [Message]) -> [String] {
    messages.reversed().lazy.filter { $0.role == "user" }.map { NamedPages.urls(in: $0.text) }
      .first { !$0.isEmpty } ?? []
  }

  private static func prompt(_ goal: Goal) -> String {
    let urls = goal.urls ?? []
    guard !urls.isEmpty else { return goal.text }
    return "\(goal.text)\n\nPages to read:\n" + urls.map { "- \($0)" }.joined(separator: "\n")
  }
}
