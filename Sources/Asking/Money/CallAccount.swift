package import Core
package import Providers

/// The account of one answer: a call for each request that is sent for it, to one model or several.
///
/// Each request is reserved in the budget and in flight in the store before it leaves, so that its money
/// is counted whatever becomes of the answer or of us.
package actor CallAccount {
  private let book: any CallBook
  private let budget: Budget?
  private let owner: Call.Owner
  /// Commits a call that is about to be sent.
  private let begin: @Sendable (Call) throws(Failure) -> Void
  /// Room for the answer; nil for a prompt, of whose time making it takes a tenth.
  private let ballast: Ballast?
  /// The calls whose end is known, the oldest first.
  private var ended: [Call] = []
  /// The call that is in flight.
  private var open: Call?
  /// The last call, which has ended, for the caller to commit with what came of it; nil if it was
  /// committed, or if none was sent.
  package private(set) var uncommitted: Call?
  /// The output limit of the last request; nil if no budget lowered it.
  package private(set) var budgetedOutput: Int?

  /// Opens an account.
  ///
  /// - Parameters:
  ///   - owner: The work that is paid for.
  ///   - book: Where calls are kept.
  ///   - budget: Limits what may be spent; nil for no limit.
  ///   - opened: The first call, if it was committed with what is asked; no room is kept on the disk for
  ///     the answer then.
  ///   - begin: Commits a call that is about to be sent; nil to commit the call alone.
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

  /// Commits how the last request ended, and that another one is about to be sent.
  ///
  /// - Parameters:
  ///   - estimate: The estimate of the request.
  ///   - earlier: The account of the last try; nil when this is the first.
  /// - Returns: The output limit that the budget leaves the request; nil without a budget.
  /// - Throws: As ``Budget/reserve(_:_:for:)``; `StorageFailed`.
  func willSend(_ estimate: Estimate, after earlier: ModelTry?) async throws(Failure) -> Int? {
    if let earlier { await close(earlier, .failed) }
    if let call = uncommitted {
      try book.save([call])
      uncommitted = nil
    }
    guard open == nil else { return nil }
    let id = Identifier.make()
    let granted = try await budget?.reserve(id, estimate, for: owner.stageId)
    budgetedOutput = granted.flatMap { $0 < estimate.mostOutput ? $0 : nil }
    var call = Call(for: owner, estimate, output: granted ?? estimate.mostOutput)
    call.id = id
    do throws(Failure) {
      // Waiting for the budget took a while.
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

  /// Ends the call in flight; one that was not sent after all is taken back.
  func end(_ outcome: ModelOutcome) async {
    if let last = outcome.lastTry {
      return await close(last, outcome.answer == nil ? .failed : .complete)
    }
    guard let call = open?.unsent else { return }
    open = nil
    await budget?.settle(call)
    // Where this fails the request counts as one that may have been sent.
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

  /// Returns all requests as one call, for whoever watches; nil if none was sent.
  package func whole(_ outcome: ModelOutcome) -> Call? {
    guard let first = ended.first, var call = ended.last else { return nil }
    call.startedAt = first.startedAt
    (call.usage, call.costUSD) = (outcome.usage, outcome.costUSD)
    return call
  }

  /// Commits what was paid for; where the disk is full, in the room that was kept for it.
  ///
  /// - Throws: What `commit` throws when there is no room even so.
  package nonisolated func keep(_ commit: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try commit()
    } catch {
      guard error.code == .storageFailed, ballast?.release() == true else { throw error }
      try commit()
    }
  }
}

extension ModelClient {
  /// Asks a model, and keeps the account of every request.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - choice: Who is asked.
  ///   - account: The account that the requests are entered in. The caller commits its last call.
  ///   - onSend: Is called before each request, which is in the account by then; it throws to hold the
  ///     request back.
  ///   - onRestart: Is told that the answer begins again, and all pieces so far are void.
  ///   - onPiece: Is handed each piece as it arrives; it throws to end the request.
  /// - Returns: The answer or the failure, with the account of all tries.
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
