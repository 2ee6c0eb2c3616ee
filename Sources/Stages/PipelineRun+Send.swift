import Asking
import Catalogue
import Core
import Events
import Extraction
import Fetching
import Foundation
import Pipelines
import Providers
import Requests
import Synchronization

extension PipelineRun {
  /// Sends the request of the given stage, commits the result, and emits it.
  func send(_ stage: Stage) async throws(Failure) {
    guard let choice = choices[stage.id] else {
      throw Failure(.notFound, "no model is chosen for stage '\(stage.id)'")
    }
    var stage = stage
    stage.status = .running
    stage.error = nil
    stage.finishedAt = nil
    stage.startedAt = .now
    // The cost is unknown until the call ends, and stays unknown if the process is killed.
    (stage.costUSD, stage.knownCostUSD) = (nil, nil)
    stage.model = choice.name
    let manner = manner(of: stage, choice)
    stage.temperature = manner.temperature
    let urls = NamedPages.of(stage)
    if !urls.isEmpty {
      // Fetching pages takes a while, so the stage is first shown as running.
      try store.update(stage)
      try emit(stage)
    }
    do throws(Failure) {
      let pages = await read(urls, for: &stage, choice)
      // The stage may have been paused while pages were fetched.
      try await control.ready(stage.id)
      let previous = try previousWork(before: stage)
      var request = StageContext(
        goal: pipeline.goal, stage: stage, previous: previous, pages: pages,
        sharedPages: self.pages.count, system: manner.system,
        hasEarlier: hasOther(stage, choice) { $0 < $1 },
        hasLater: hasOther(stage, choice) { $0 > $1 }
      ).request
      request.temperature = manner.temperature
      request.effort = manner.effort
      request.cacheKey = pipeline.id
      request.brief?.mayBeEmpty = try othersMayQuote(stage)
      let ended = try await ask(request, choice, stage, isReported: !urls.isEmpty)
      try await end(
        ended, stage, choice,
        emptyReason: emptyReason(of: stage, previous: previous, choice, ended.outcome.answer))
    } catch {
      let cause = control.cause(of: error)
      endUnsent(stage, cause)
      throw cause
    }
  }

  /// Returns the settings for the given stage.
  ///
  /// Settings of the user take precedence over the defaults of the role and the model.
  private func manner(of stage: Stage, _ choice: ModelChoice) -> Settings.RoleSettings {
    let team = options.teamSettings[stage.role]
    let role = services.models.configuration.roles[stage.role]
    var manner = Settings.RoleSettings()
    manner.system = team?.system ?? role?.system
    manner.effort = options.effort ?? team?.effort ?? role?.effort
    // The record of an earlier attempt may contain the role's default, which is not a setting.
    let recorded =
      stage.temperature == RolePrompt.temperature(stage.role) ? nil : stage.temperature
    manner.temperature = team?.temperature ?? recorded ?? role?.temperature
    let accepts = choice.facts.accepts(.temperature, effort: manner.effort ?? choice.effort)
    switch manner.temperature {
    case .some where accepts == false:
      choice.reportOmission(of: "temperature")
      manner.temperature = nil
    case nil where accepts == true: manner.temperature = RolePrompt.temperature(stage.role)
    default: break
    }
    return manner
  }

  /// Returns `true` if a stage at another position uses the same model.
  ///
  /// `isThere` compares the other stage's position with the given stage's.
  private func hasOther(
    _ stage: Stage, _ choice: ModelChoice, at isThere: (Int, Int) -> Bool
  ) -> Bool {
    stages.contains {
      isThere($0.position, stage.position) && choices[$0.id]?.name == choice.name
    }
  }

  /// The outcome of a stage's request.
  private struct Ending {
    var account: CallAccount
    /// The last call, if it is not yet committed; nil otherwise.
    var call: Call?
    var outcome: ModelOutcome
  }

  private func ask(
    _ request: ModelRequest, _ choice: ModelChoice, _ stage: Stage, isReported: Bool
  ) async throws(Failure) -> Ending {
    let account = account(of: stage)
    let thinks = Atomic(false)
    let hasReported = Atomic(isReported)
    let began = Timestamp.now
    let outcome = await services.models.client.answer(
      request, choice: choice, on: account,
      onSend: { () throws(Failure) in
        if !hasReported.exchange(true, ordering: .relaxed) { try emit(stage) }
      },
      onPiece: { (piece) throws(Failure) in
        guard let part = delta(of: piece, thinks: thinks) else { return }
        try emit(
          Delta(model: choice.name, text: part.text).with {
            ($0.stageId, $0.reasoning) = (stage.id, part.reasoning)
          })
      })
    if outcome.tries == 0, let failure = outcome.failure { throw failure }
    services.reportTime(of: "answer", stage.role, since: began)
    if let asked = await account.whole(outcome) {
      services.events.called(
        asked, by: stage, of: pipeline, outcome.failure,
        maxTokens: choice.facts.contextTokens,
        redundancy: request.redundancy)
    }
    return Ending(account: account, call: await account.uncommitted, outcome: outcome)
  }

  /// Returns the record to emit for the given piece: text, or the start of thinking; nil for none.
  private func delta(
    of piece: ModelPiece, thinks: borrowing Atomic<Bool>
  ) -> (text: String, reasoning: String?)? {
    switch piece {
    case .text(let text):
      let ended = thinks.exchange(false, ordering: .relaxed) && services.tellsThinking
      return services.streamsDeltas ? (text, nil) : ended ? ("", nil) : nil
    case .reasoning:
      let isNew = !thinks.exchange(true, ordering: .relaxed)
      return isNew && services.tellsThinking ? ("", "") : nil
    case .toolCall: return nil
    }
  }

  private func account(of stage: Stage) -> CallAccount {
    let owner = Call.Owner(
      tool: Call.Owner.runner, pipelineId: pipeline.id, stageId: stage.id)
    return CallAccount(of: owner, in: store, budget: budget) {
      [store, pipeline] (call) throws(Failure) in
      try store.begin(call, for: stage, of: pipeline)
    }
  }

  private func end(
    _ ended: Ending, _ stage: Stage, _ choice: ModelChoice, emptyReason: String?
  ) async throws(Failure) {
    var stage = stage
    // A failure to read the spending must not lose the paid answer.
    var spending = try? store.spending(
      pipelineId: pipeline.id, stageId: stage.id, without: ended.call?.id)
    if let call = ended.call { spending?.add(call) }
    stage.usage = spending?.countedUsage
    (stage.costUSD, stage.knownCostUSD) = (spending?.costUSD, spending?.knownPart)
    stage.finishedAt = .now
    let cut = await budgetCut(ended)
    guard let answer = ended.outcome.answer else {
      let failure = control.cause(of: cut ?? ended.outcome.reason)
      stage = stage.after(failure)
      // The next run may have a key, and chooses again.
      if failure.emptyReason != nil, !choice.isNamed { stage.model = nil }
      try ended.account.commit { () throws(Failure) in try store.end(ended.call, stage) }
      try? emit(stage)
      throw failure
    }
    stage.stopReason = answer.isCutByLength ? answer.stopReason : nil
    if let reason = stage.stopReason, cut == nil {
      let role = stage.role.rawValue
      services.report("\(stage.id): the \(role)'s answer was cut at its token limit (\(reason))")
    }
    let artifact = artifact(answer, of: stage, choice).with { $0.emptyReason = emptyReason }
    if let cut {
      stage = stage.after(cut)
      try ended.account.commit { () throws(Failure) in
        try store.end(ended.call, stage, artifact: artifact)
      }
      try? emit(artifact)
      try? emit(stage)
      throw cut
    }
    let isApproved = options.yolo == true
    stage.status = isApproved ? .approved : .completed
    stage.approved = isApproved
    let gate = isApproved ? nil : gate(of: stage, artifact)
    do throws(Failure) {
      try ended.account.commit { () throws(Failure) in
        try store.end(ended.call, stage, artifact: artifact, gate: gate)
      }
    } catch {
      // The result was paid for, so it is emitted even if it could not be stored.
      try? emit(artifact)
      throw error
    }
    try emit(artifact)
    try emit(stage)
    if gate != nil { try await judge(stage, artifact, isNew: true) }
  }

  private func artifact(
    _ answer: ModelAnswer, of stage: Stage, _ choice: ModelChoice
  ) -> Artifact {
    Artifact(
      id: Identifier.make(), role: stage.role,
      title: "\(stage.role.displayName) — \(pipeline.projectName)",
      content: answer.text + Source.section(unread: stage.sources), createdAt: .now
    ).with {
      $0.pipelineId = pipeline.id
      $0.stageId = stage.id
      $0.project = pipeline.projectName
      $0.model = answer.model.isEmpty ? choice.name : answer.model
      $0.stopReason = stage.stopReason
      $0.labels = stage.labels ?? pipeline.labels
    }
  }

  /// Returns the failure that reports that the budget cut the answer short; nil if it did not.
  private func budgetCut(_ ended: Ending) async -> Failure? {
    guard let output = await ended.account.budgetedOutput else { return nil }
    let isCut = ended.outcome.answer?.isCutByLength ?? (ended.outcome.failure?.kind == .thinking)
    guard isCut else { return nil }
    return Failure(
      .budgetExceeded,
      "the answer was cut at \(output) tokens, the rest of the budget")
  }

  /// Ends the given stage in the output and in the store, after its request or its result could not
  /// be sent.
  private func endUnsent(_ stage: Stage, _ failure: Failure) {
    var ended = stage.after(failure)
    do throws(Failure) {
      // The cost of earlier calls, if any.
      let spending = try store.spending(pipelineId: pipeline.id, stageId: stage.id)
      if spending != Spending() {
        (ended.costUSD, ended.knownCostUSD) = (spending.costUSD, spending.knownPart)
      }
      let stored = try store.pipeline(pipeline.id)?.stages.first { $0.id == stage.id }
      guard stored?.status == .running else {
        // A result that is stored but could not be emitted still ends its span.
        if let stored { services.events.saw(stored, of: pipeline) }
        return
      }
      try store.update(ended)
    } catch {
      // The stage is ended in the output even if the store fails.
    }
    // The output may be closed, so an error is ignored.
    try? emit(ended)
  }
}

extension Stage {
  /// Returns the stage in its state after the given failure.
  ///
  /// The stage waits again if it can resume without loss. Otherwise it has failed.
  fileprivate func after(_ failure: Failure) -> Stage {
    var stage = self
    let isPaused = failure.code == .interrupted || failure.code == .budgetExceeded
    stage.status = isPaused ? .waiting : .failed
    stage.error = failure
    stage.finishedAt = isPaused ? nil : .now
    return stage
  }
}
