public import Core
import Foundation
public import Providers

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

  private let store: Store
  private let folder: String
  private let client: ModelClient
  private let choice: ModelChoice
  private let system: String
  private let temperature: Double
  private let events: RunEvents

  /// Plans with a model.
  ///
  /// - Parameters:
  ///   - store: Where plans are kept.
  ///   - directories: Where the store is.
  ///   - client: Asks the model.
  ///   - choice: The model.
  ///   - system: The system prompt; nil for ours.
  ///   - temperature: The sampling temperature.
  ///   - events: Is told what happens.
  public init(
    store: Store, directories: Directories, client: ModelClient, choice: ModelChoice,
    system: String?, temperature: Double, events: RunEvents
  ) {
    self.store = store
    self.folder = directories.data
    self.client = client
    self.choice = choice
    self.system = system ?? RolePrompt.system(.ceo)
    self.temperature = temperature
    self.events = events
  }

  /// Plans a goal.
  ///
  /// - Parameters:
  ///   - goal: What is wanted.
  ///   - earlier: The exchange to go on with, if any.
  /// - Returns: The plan, stored; or why there is none, with the reply stored.
  /// - Throws: `StorageFailed`.
  public func plan(
    _ goal: Goal, after earlier: (conversationId: String, messages: [Message])?
  ) async throws(Failure) -> Outcome {
    let prompt = Self.prompt(goal)
    let turns = (earlier?.messages ?? []).map { ModelRequest.Turn(role: $0.role, text: $0.text) }
    let request = ModelRequest(
      system: system, turns: turns + [.init(role: "user", text: prompt)],
      temperature: temperature,
      brief: Brief(role: .ceo, goal: goal.text, task: goal.text, urls: goal.urls ?? []))
    var pipeline = Pipeline(
      id: Identifier.make(), project: goal.project, goal: goal.text, model: choice.name,
      usage: Usage(), costUSD: nil, createdAt: .now, labels: goal.labels)
    pipeline.project = pipeline.projectName
    events.planning(pipeline)
    let account = CallAccount(
      store: store, budget: nil,
      ballast: Ballast(folder: folder, tokens: request.maximumOutputTokens)
    ) { [choice] in
      Call(pipelineId: nil, stageId: nil, request, choice)
    } begin: { [store] (call) throws(Failure) in
      try store.begin(call)
    }
    let answered = await client.answer(request, choice: choice) { (earlier) throws(Failure) in
      try await account.willSend(after: earlier)
    } onText: { _ in
    }
    _ = await account.end(answered.lastTry, answered.answer == nil ? .failed : .complete)
    let calls = await account.ended
    pipeline.usage = answered.usage ?? Usage()
    pipeline.costUSD = answered.costUSD
    pipeline.createdAt = .now
    var outcome = Outcome()
    do throws(Failure) {
      guard let answer = answered.answer else {
        throw answered.failure ?? Failure(.invalidResponse, "the model gave no answer")
      }
      let parsed = try PlanParser.parse(answer.text)
      outcome.plan = Self.plan(parsed, pipeline)
      outcome.dropped = parsed.dropped
    } catch {
      outcome.failure = error
    }
    // The turns of a conversation are kept in the order of their ids.
    let asked = Message(id: Identifier.make(), role: "user", text: prompt, createdAt: .now)
    let reply = answered.answer.map { answer in
      Message(
        id: Identifier.make(), project: pipeline.project, role: "assistant", text: answer.text,
        model: choice.name, usage: answered.usage, costUSD: answered.costUSD,
        stopReason: answer.stopReason, complete: true, createdAt: .now, labels: goal.labels)
    }
    do throws(Failure) {
      try account.keep { () throws(Failure) in
        try store.save(
          plan: outcome.plan, calls: calls, messages: reply.map { [asked, $0] } ?? [],
          conversationId: earlier?.conversationId ?? Identifier.make())
      }
    } catch {
      // It was paid for: whoever reads us has it, though the store has not.
      outcome.reply = outcome.plan == nil ? reply : nil
      outcome.failure = error
    }
    if let call = Call(calls, answered) {
      events.called(
        call, by: nil, of: pipeline, answered.failure, maxTokens: nil, redundancy: nil)
    }
    events.planned(outcome.plan?.pipeline ?? pipeline, outcome.failure)
    if outcome.failure?.code == .noPlan { outcome.reply = reply }
    return outcome
  }

  /// The pipeline of a parsed plan.
  public static func plan(_ parsed: PlanParser.Plan, _ pipeline: Pipeline) -> StoredPipeline {
    var pipeline = pipeline
    pipeline.stageCount = parsed.steps.count
    let stages = parsed.steps.enumerated().map { position, step in
      Stage(
        id: Identifier.make(), pipelineId: pipeline.id, position: position, role: step.role,
        task: step.task, researchURLs: step.researchURLs.isEmpty ? nil : step.researchURLs,
        labels: pipeline.labels)
    }
    return StoredPipeline(pipeline: pipeline, stages: stages)
  }

  private static func prompt(_ goal: Goal) -> String {
    let urls = goal.urls ?? []
    guard !urls.isEmpty else { return goal.text }
    return "\(goal.text)\n\nPages to read:\n" + urls.map { "- \($0)" }.joined(separator: "\n")
  }
}
