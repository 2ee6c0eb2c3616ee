public import Catalogue
public import Core
public import HTTP

/// A client that sends requests to models, retries them, and accounts for their cost.
///
/// Retries follow ``RetryPolicy`` with one exception: after a response with status 200 has begun,
/// the request is not sent again, because its tokens are paid for.
///
/// Members that the model is known to refuse are left out. If the model names a member that it
/// refuses, or refuses sealed thinking of another conversation, the request is sent once more
/// without that part. A request that was refused by its status costs nothing.
///
/// The arguments of calls are wrapped and unwrapped as ``ToolOffer/wrapsArguments`` says.
public struct ModelClient: Sendable {
  private let retry: RetryPolicy
  private let refusals: LearnedRefusals?

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - retry: The policy for retries.
  ///   - refusals: The store of the members that models have refused; nil for none.
  public init(retry: RetryPolicy = RetryPolicy(), refusals: LearnedRefusals? = nil) {
    self.retry = retry
    self.refusals = refusals
  }

  /// Sends a request to a model.
  ///
  /// Cancelling the task ends the request, or the wait before a retry, with `Interrupted`. An
  /// answer with neither text nor tool calls fails with `InvalidResponse` of kind `empty`: it was
  /// paid for, but cannot be used.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - choice: The model.
  ///   - willSend: Called before each attempt with the account of the previous one. It returns the
  ///     output limit for this attempt, or nil to leave the limit unchanged. An error that it
  ///     throws ends the attempts.
  ///   - onRestart: Called when the answer starts again and all earlier pieces are void.
  ///   - onPiece: Called with each piece as it arrives; an error that it throws ends the request.
  /// - Returns: The answer or the failure, with the account of all attempts.
  public func answer(
    _ request: ModelRequest, choice: ModelChoice,
    willSend: @Sendable (_ after: ModelTry?) async throws(Failure) -> Int? = { _ in nil },
    onRestart: @Sendable () throws(Failure) -> Void = {},
    onPiece: @Sendable (ModelPiece) throws(Failure) -> Void
  ) async -> ModelOutcome {
    let began = ContinuousClock.now
    var outcome = await tries(
      request, choice: choice, willSend: willSend, onRestart: onRestart, onPiece: onPiece)
    outcome.totalMs = began.duration(to: .now).milliseconds
    return outcome
  }

  private func tries(
    _ request: ModelRequest, choice: ModelChoice,
    willSend: @Sendable (_ after: ModelTry?) async throws(Failure) -> Int?,
    onRestart: @Sendable () throws(Failure) -> Void,
    onPiece: @Sendable (ModelPiece) throws(Failure) -> Void
  ) async -> ModelOutcome {
    var outcome = ModelOutcome(costUSD: 0, tries: 0)
    let learned = refusals?.parameters(choice.facts.provider, choice.model, at: choice.base) ?? []
    var (request, leftOut) = choice.adapted(
      request.wrapped, without: Set(learned.compactMap { OptionalMember(rawValue: $0) }))
    var mostOutput = Int.max
    for part in leftOut { choice.reportOmission(of: part) }
    var amendments: Set<Amendment.Kind> = []
    while true {
      guard !Task.isCancelled else {
        outcome.failure = Self.cancelled
        return outcome
      }
      let earlier = outcome.lastTry
      do throws(Failure) {
        outcome.lastTry = nil
        if let limit = try await willSend(earlier) {
          request.maximumOutputTokens = min(limit, mostOutput)
        }
      } catch {
        outcome.failure = error.caused(by: outcome.failure)
        return outcome
      }
      outcome.tries += 1
      let attempt = Attempt()
      let day = Day.today
      let failure = await send(
        request, choice: choice, attempt: attempt, onRestart: onRestart, onPiece: onPiece)
      let state = attempt.state
      outcome.add(state, failure: failure, choice, sentOn: day)
      outcome.firstTokenMs = state.firstPiece?.milliseconds
      outcome.partial = failure == nil ? PartialAnswer() : state.partial
      reportTry(choice, tries: outcome.tries, state, failure)
      guard let failure else {
        // The failure of an earlier attempt no longer matters.
        (outcome.failure, outcome.answer) = (nil, state.answer?.unwrapped(for: request))
        return outcome
      }
      outcome.failure = failure
      if let amendment = Amendment(request, state), Self.allows(amendment, amendments) {
        amendments.insert(amendment.kind)
        report(amendment, choice)
        if amendment.kind == .limit { mostOutput = Amendment.leastLimit }
        request = amendment.request
        continue
      }
      guard !state.hasBegun,
        let delay = delay(after: failure, outcome.tries - amendments.count, state)
      else { return outcome }
      guard await pause(delay, after: failure, choice) else {
        outcome.failure = Self.cancelled
        return outcome
      }
    }
  }

  /// Waits before the next attempt.
  ///
  /// - Returns: `false` if the task was cancelled during the wait.
  private func pause(_ seconds: Double, after failure: Failure, _ choice: ModelChoice) async -> Bool
  {
    let words = "retrying '\(choice.name)' in \(Int(seconds.rounded(.up))) s"
    // At a terminal, the notice includes the reason for the wait.
    choice.report(.detail(.provider, words, onTerminal: "\(words): \(failure.explanation)"))
    return (try? await Task.sleep(for: .seconds(seconds))) != nil
  }

  private func delay(after failure: Failure, _ tries: Int, _ state: Attempt.State) -> Double? {
    var generator = SystemRandomNumberGenerator()
    return retry.delay(
      after: failure, tries: tries, shouldRetry: state.shouldRetry,
      jitter: .random(in: 0..<1, using: &generator))
  }

  /// Sends the request once; returns nil for a usable answer.
  private func send(
    _ request: ModelRequest, choice: ModelChoice, attempt: Attempt,
    onRestart: @Sendable () throws(Failure) -> Void,
    onPiece: @Sendable (ModelPiece) throws(Failure) -> Void
  ) async -> Failure? {
    do throws(Failure) {
      try await choice.provider.send(request, model: choice.model) { event throws(Failure) in
        if case .notice(let sentence) = event { choice.report(.sentence(sentence)) }
        for step in attempt.receive(event) {
          switch step {
          case .piece(let piece): try onPiece(piece)
          case .restart: try onRestart()
          }
        }
      }
    } catch {
      // The text that was held back belongs to the partial answer.
      for case .piece(let piece) in attempt.abandon() { try? onPiece(piece) }
      return Task.isCancelled && error.code != .interrupted ? Self.cancelled : error
    }
    let state = attempt.state
    guard let answer = state.answer else {
      return Failure(.invalidResponse, "'\(choice.name)' gave no answer", kind: .cut)
    }
    guard answer.toolCalls.isEmpty, answer.text.allSatisfy(\.isWhitespace) else { return nil }
    if answer.isCutByLength, state.hasThought || state.usage?.reasoningTokens ?? 0 > 0 {
      return .thoughtTooLong(choice, request.maximumOutputTokens)
    }
    let reason =
      answer.stopReason.map {
        " (it stopped with '\(Visible.line(String($0.unicodeScalars.prefix(64))))')"
      } ?? ""
    return Failure(
      .invalidResponse, "'\(choice.name)' answered without any text\(reason)", kind: .empty)
  }

  /// Returns `true` if the given amendment may follow those already made.
  ///
  /// Thinking, each name of the limit, and one other part may each be amended once.
  private static func allows(_ amendment: Amendment, _ made: Set<Amendment.Kind>) -> Bool {
    let others: Set<Amendment.Kind> = [
      .thinking, .member(.oldLimitName), .member(.newLimitName),
    ]
    return others.contains(amendment.kind)
      ? !made.contains(amendment.kind) : made.isSubset(of: others)
  }

  /// Reports the given amendment.
  ///
  /// If its member is left out from now on, that is recorded.
  private func report(_ amendment: Amendment, _ choice: ModelChoice) {
    let member: OptionalMember
    switch amendment.kind {
    case .thinking:
      return choice.report(
        .once("'\(choice.name)' rejects its earlier thinking: sending the request without it"))
    case .limit:
      let least = Amendment.leastLimit
      return choice.report(
        .once("'\(choice.name)' rejects the output limit: retrying with \(least) tokens"))
    case .member(let refused): member = refused
    }
    let isRenamed = member == .oldLimitName || member == .newLimitName
    let words =
      isRenamed
      ? "rejects '\(member.rawValue)': sending the limit under its other name"
      : "rejects '\(amendment.name)': sending the request without it"
    choice.report(.once("'\(choice.name)' \(words)"))
    do throws(Failure) {
      try refusals?.remember(
        member.rawValue, of: choice.facts.provider, choice.model, at: choice.base)
    } catch {
      choice.report(.once("cannot store the refusals of models: \(error.explanation)"))
    }
  }

  private static let cancelled = Failure(.interrupted, "the request was cancelled")

  private func reportTry(
    _ choice: ModelChoice, tries: Int, _ state: Attempt.State, _ failure: Failure?
  ) {
    var words = "\(choice.name): try \(tries)"
    if let status = state.status { words += ", status \(status)" }
    if let usage = state.usage {
      words += ", \(usage.inputTokens) tokens in, \(usage.outputTokens) out"
    }
    if let reason = state.answer?.stopReason { words += ", stopped with \(reason)" }
    if let failure {
      words += ", \(failure.code.rawValue)" + (failure.kind.map { " (\($0.rawValue))" } ?? "")
    }
    choice.report(.detail(.provider, words))
  }
}

extension Failure {
  /// Returns the failure that reports that thinking used up the output limit.
  fileprivate static func thoughtTooLong(_ choice: ModelChoice, _ limit: Int?) -> Failure {
    let limit = limit.map { " of \($0) tokens" } ?? ""
    return Failure(
      .invalidResponse,
      "'\(choice.name)' used its output limit\(limit) for thinking and gave no answer: "
        + "lower --effort, or raise --max-tokens or the budget",
      kind: .thinking)
  }

  /// Returns the failure that ended the attempts, with an earlier failure as its cause.
  fileprivate func caused(by earlier: Failure?) -> Failure {
    var failure = self
    failure.cause = failure.cause ?? earlier?.explanation
    return failure
  }
}

extension ModelOutcome {
  /// Adds the usage and the cost of the given attempt.
  ///
  /// If a cost is unknown, the sum is unknown.
  fileprivate mutating func add(
    _ state: Attempt.State, failure: Failure?, _ choice: ModelChoice, sentOn day: Day
  ) {
    var state = state
    // Some servers report their counts several times: those before a lost connection may not be the last.
    if state.answer == nil, Self.isLost(failure) { state.usage = nil }
    let cost = Self.cost(state, failure, choice, sentOn: day)
    lastTry = ModelTry(usage: state.usage, costUSD: cost)
    if let usage = state.usage { self.usage = (self.usage ?? Usage()) + usage }
    costUSD = costUSD.flatMap { sum in cost.map { sum + $0 } }
  }

  private static func cost(
    _ state: Attempt.State, _ failure: Failure?, _ choice: ModelChoice, sentOn day: Day
  ) -> Double? {
    if choice.isFree { return 0 }
    if let category = state.declined, state.partial.text.isEmpty {
      let isBilled = Catalogue.builtIn.isBilled(
        refusal: category, of: choice.facts.provider, on: day)
      guard isBilled == true else { return isBilled.map { _ in 0 } }
    }
    if let usage = state.usage {
      return choice.cost(
        of: usage, answeredBy: state.answer?.model, on: day, terms: state.terms)
    }
    // A refusal by status is not billed; an answer without counts may be.
    if let status = state.status { return (200...299).contains(status) ? nil : 0 }
    // If no connection was made, nothing was sent.
    if [.resolve, .connect, .connectTimeout, .tls, .proxy].contains(failure?.kind) {
      return 0
    }
    // The request may have arrived before the failure occurred.
    return isLost(failure) || failure?.code == .invalidResponse ? nil : 0
  }

  /// Returns `true` if nobody knows what the server sent after the given failure.
  private static func isLost(_ failure: Failure?) -> Bool {
    [.timeout, .networkUnavailable, .interrupted].contains(failure?.code)
  }
}
