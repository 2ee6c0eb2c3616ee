import Asking
import Catalogue
import Chats
public import Core
import Extraction
public import Keys
public import Pipelines
public import Providers
import Storage

/// Asks a CEO for a plan, and keeps what was said whatever comes of it.
public struct Planner: Sendable {
  /// What asking came to.
  public struct Outcome: Sendable {
    /// The plan; nil when there is none.
    public var plan: StoredPipeline?
    /// The reply, when it held no plan.
    public var reply: Message?
    /// Items of the plan that are left out, a sentence each.
    public var dropped: [String] = []
    /// Why there is no plan.
    public var failure: Failure?
  }

  /// The name of the model that is asked.
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

  /// Chooses the model, and opens the store that plans are kept in.
  ///
  /// - Parameters:
  ///   - directories: Where the store is.
  ///   - keys: Where the key is that seals what is said.
  ///   - models: Who can be asked.
  ///   - options: How to ask.
  ///   - events: Is told what happens.
  /// - Throws: As ``ModelDirectory/choose(role:flag:team:record:)``; `PermissionDenied` where that key
  ///   is not there; `StorageFailed`.
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
    let takes = choice.facts.takes(.temperature, effort: effort ?? choice.effort)
    temperature =
      options.temperature ?? role?.temperature
      ?? (takes == true ? RolePrompt.temperature(.ceo) : nil)
    continues = options.continues
    chats = try ChatStore(directories, keys: keys)
    client = models.client
    self.events = events
  }

  /// The model of the exchange that goes on; nil if none does, or if an option names a model.
  private static func kept(
    _ directories: Directories, _ keys: KeyStore, _ options: PlannerOptions
  ) throws(Failure) -> KeptModel? {
    guard options.continues, options.model == nil, options.team[.ceo]?.model == nil,
      let earlier = try ChatStore.existing(in: directories, keys: keys)?.lastPlanning()
    else { return nil }
    return try KeptModel(of: earlier.messages, option: "--model")
  }

  /// Plans a goal.
  ///
  /// - Parameter goal: What is wanted.
  /// - Returns: The plan, stored; or why there is none, with the reply stored.
  /// - Throws: `StorageFailed`.
  public func plan(_ goal: Goal) async throws(Failure) -> Outcome {
    let earlier = continues ? try chats.lastPlanning() : nil
    // The turns of a conversation are kept in the order of their times and ids.
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
    var outcome = outcome(answered, goal, pipeline)
    let (plan, call) = (outcome.plan, await account.uncommitted)
    let reply = reply(answered, replyId, to: goal, in: pipeline)
    do throws(Failure) {
      try account.keep { () throws(Failure) in
        try chats.store(
          reply.map { [asked, $0] } ?? [], ofPlanning: earlier?.chatId ?? Identifier.make()
        ) { database in
          if let plan { try database.save(new: plan) }
          if let call { try database.save(call) }
          try database.join(callsOf: replyId, to: plan?.pipeline.id)
        }
      }
    } catch {
      // It was paid for: whoever reads us has it, though the store has not.
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

  /// Returns the plan, or the failure, that a model's answer comes to.
  private func outcome(_ answered: ModelOutcome, _ goal: Goal, _ pipeline: Pipeline) -> Outcome {
    var outcome = Outcome()
    do throws(Failure) {
      guard let answer = answered.answer else { throw answered.reason }
      let parsed = try PlanParser.parse(answer.text)
      outcome.plan = Self.plan(parsed, pipeline)
      outcome.dropped = parsed.dropped + Self.unread(goal.urls ?? [], outcome.plan?.stages ?? [])
    } catch {
      outcome.failure = kept?.explained(error) ?? error
    }
    return outcome
  }

  /// The pipeline that is planned, without its plan.
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

  /// The model's reply as the chat keeps it; nil where it gave none.
  private func reply(
    _ answered: ModelOutcome, _ id: String, to goal: Goal, in pipeline: Pipeline
  ) -> Message? {
    guard answered.answer != nil else { return nil }
    return Message(role: "assistant", text: "").with {
      $0.id = id
      $0.project = pipeline.project
      $0.stageModel = pipeline.stageModel
      $0.costUSD = 0
      $0.take(answered, of: choice)
      // A planning goes on with its words alone.
      ($0.reasoning, $0.opaque, $0.firstTokenMs, $0.totalMs) = (nil, nil, nil, nil)
      $0.labels = goal.labels
    }
  }

  /// The pipeline of a parsed plan.
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

  /// Why pages that a goal names are read by no stage of its plan, a sentence each.
  private static func unread(_ urls: [String], _ stages: [Stage]) -> [String] {
    let named = stages.map(NamedPages.of)
    let read = Set(named.flatMap { $0.prefix(NamedPages.maximum) })
    return urls.filter { !read.contains($0) }.map { url in
      named.contains { $0.contains(url) }
        ? "page '\(url)': a researcher reads \(NamedPages.maximum) pages"
        : "page '\(url)': no researcher is told to read it"
    }
  }

  private static func prompt(_ goal: Goal) -> String {
    let urls = goal.urls ?? []
    guard !urls.isEmpty else { return goal.text }
    return "\(goal.text)\n\nPages to read:\n" + urls.map { "- \($0)" }.joined(separator: "\n")
  }
}
