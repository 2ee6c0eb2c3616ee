package import Core
package import Providers

/// The account of all requests for one answer, with one call for each request.
///
/// The requests may go to several models. Each one is reserved in the budget, and stored as a
/// running call, before it is sent. Its cost is therefore counted even if the answer or the process
/// is lost.
package actor CallAccount {
  private let book: any CallBook
  private let budget: Budget?
  private let owner: Call.Owner
  /// A closure that commits a call before it is sent.
  private let begin: @Sendable (Call) throws(Failure) -> Void
  /// The reserved disk space; nil if the first call was committed with the prompt.
  private let ballast: Ballast?
  /// The ended calls, the oldest first.
  private var ended: [Call] = []
  /// The call in flight; nil if there is none.
  private var open: Call?
  /// The last ended call, which the caller must commit together with its result.
  ///
  /// It is nil if that call is committed, or if no request was sent.
  package private(set) var uncommitted: Call?
  /// The output limit of the last request, if the budget lowered it; nil otherwise.
  package private(set) var budgetedOutput: Int?

  /// Creates an account.
  ///
  /// - Parameters:
  ///   - owner: The work that the requests are part of.
  ///   - book: The store of calls.
  ///   - budget: The budget; nil for no limit on spending.
  ///   - opened: The first call, if it was committed with the prompt. In this case, no disk space
  ///     is reserved.
  ///   - begin: Commits a call before it is sent; nil to store only the call.
  package init(
    of owner: Call.Owner, in book: any CallBook, budget: Budget? = nil, opened: Call? = nil,
    begin: (@Sendable (Call) throws(Failure) -> Void)? = nil
  ) {
    self.owner = owner
    self.book = book
    self.budget = budget
    ballast = opened == nil ? Ballast(beside: book.store) : nil
    open = opened
    if let begin {
      self.begin = begin
    } else {
      self.begin = { (call) throws(Failure) in try book.save([call]) }
    }
  }

  /// Commits the end of the last request and the start of the next.
  ///
  /// - Parameters:
  ///   - estimate: The estimate of the next request.
  ///   - earlier: The account of the last request; nil if there was none.
  /// - Returns: The output limit that the budget allows; nil if there is no budget.
  /// - Throws: As ``Budget/reserve(_:_:for:)``; `StorageFailed` if the call cannot be stored;
  ///   `Interrupted` if the task was cancelled.
  func willSend(_ estimate: Estimate, after earlier: ModelTry?) async throws(Failure) -> Int? {
    if let earlier { await close(earlier, .failed) }
    if let call = uncommitted {
      try book.save([call])
      uncommitted = nil
    }
    guard open == nil else { return nil }
    let id = Identifier.make()
    let granted = try await budget?.reserve(
      id, estimate, for: owner.stageId ?? owner.answerId)
    budgetedOutput = granted.flatMap { $0 < estimate.mostOutput ? $0 : nil }
    var call = Call(for: owner, estimate, output: granted ?? estimate.mostOutput)
    call.id = id
    do throws(Failure) {
      // The task may have been cancelled while it waited for the budget.
      guard !Task.isCancelled else {
        throw Failure(.interrupted, "interrupted before the call")
      }
      try ballast?.reserve(tokens: estimate.mostOutput)
      try begin(call)
    } catch {
      await budget?.settle(call.unsent)
      throw error
    }
    open = call
    return granted
  }

  /// Ends the call in flight.
  ///
  /// If no request was sent for the call, it is marked as unsent.
  func end(_ outcome: ModelOutcome) async {
    if let last = outcome.lastTry {
      return await close(last, outcome.answer == nil ? .failed : .complete)
    }
    guard let call = open?.unsent else { return }
    open = nil
    await budget?.settle(call)
    // If the store fails, the call counts as possibly sent.
    try? book.save([call])
  }

  private func close(_ last: ModelTry, _ outcome: Call.Outcome) async {
    guard var call = open else { return }
    open = nil
    call.end(outcome, last.usage, last.costUSD)
    ended.append(call)
    uncommitted = call
    await budget?.settle(call)
  }

  /// Returns one call that combines all requests, for the event log; nil if none was sent.
  package func whole(_ outcome: ModelOutcome) -> Call? {
    guard let first = ended.first, var call = ended.last else { return nil }
    call.startedAt = first.startedAt
    (call.usage, call.costUSD) = (outcome.usage, outcome.costUSD)
    return call
  }

  /// Commits a paid answer.
  ///
  /// If the disk is full, the reserved space is freed for a second attempt.
  ///
  /// - Throws: The error of `work` if the second attempt also fails.
  package nonisolated func commit(_ work: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try work()
    } catch {
      guard error.code == .storageFailed, ballast?.release() == true else { throw error }
      try work()
    }
  }
}

extension ModelClient {
  /// Sends the given request to a model, and records every attempt in `account`.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - choice: The model.
  ///   - account: The account of the answer. The caller commits its last call.
  ///   - onSend: Called before each attempt, after it was recorded. An error that it throws
  ///     prevents the attempt.
  ///   - onRestart: Called when the answer starts again and all earlier pieces are void.
  ///   - onPiece: Called with each piece as it arrives; an error that it throws ends the request.
  /// - Returns: The answer or the failure, with the account of all attempts.
  package func answer(
    _ request: ModelRequest, choice: ModelChoice, on account: CallAccount,
    onSend: @Sendable () throws(Failure) -> Void = {},
    onRestart: @Sendable () throws(Failure) -> Void = {},
    onPiece: @Sendable (ModelPiece) throws(Failure) -> Void = { _ in }
  ) async -> ModelOutcome {
    let estimate = Estimate(request, choice)
    let outcome = await answer(
      request, choice: choice,
      willSend: { (earlier) throws(Failure) in
        let output = try await account.willSend(estimate, after: earlier)
        try onSend()
        return output
      }, onRestart: onRestart, onPiece: onPiece)
    await account.end(outcome)
    return outcome
  }
}
