package import Core
package import Providers
import Requests
package import Storage

/// The account of one question to a model: a call for each request that is sent.
///
/// Each request is reserved in the budget and in flight in the store before it leaves, so that its money
/// is counted whatever becomes of the answer or of us.
package actor CallAccount {
  private let store: Store
  private let budget: Budget?
  private let owner: (pipelineId: String?, stageId: String?)
  private let estimate: Estimate
  /// Commits a call that is about to be sent.
  private let begin: @Sendable (Call) throws(Failure) -> Void
  private let ballast: Ballast
  /// The calls whose end is known, the oldest first.
  package private(set) var ended: [Call] = []
  /// The call that is in flight.
  private var open: Call?
  /// The output limit of the last request.
  package private(set) var output: Int

  package init(
    store: Store, budget: Budget?, ballast: Ballast, estimate: Estimate, pipelineId: String? = nil,
    stageId: String? = nil, begin: @escaping @Sendable (Call) throws(Failure) -> Void
  ) {
    self.store = store
    self.budget = budget
    self.ballast = ballast
    self.estimate = estimate
    owner = (pipelineId, stageId)
    output = estimate.mostOutput
    self.begin = begin
  }

  /// `true` if the budget left the last request a lower output limit than it would have had.
  package var isCutByBudget: Bool { output < estimate.mostOutput }

  /// Commits how the last request ended, and that another one is about to be sent.
  ///
  /// - Parameter earlier: The account of the last one; nil when this is the first.
  /// - Returns: The output limit that the budget leaves the request.
  /// - Throws: As ``Budget/reserve(_:_:for:)``; `StorageFailed`.
  package func willSend(after earlier: ModelTry?) async throws(Failure) -> Int {
    if let earlier, let call = await end(earlier, .failed) { try store.end(call) }
    let id = Identifier.make()
    output =
      try await budget?.reserve(id, estimate, for: owner.stageId) ?? estimate.mostOutput
    var call = Call(
      pipelineId: owner.pipelineId, stageId: owner.stageId, estimate, output: output)
    call.id = id
    do throws(Failure) {
      // Waiting for the budget took a while.
      guard !Task.isCancelled else {
        throw Failure(.interrupted, "interrupted before the call")
      }
      try ballast.reserve()
      try begin(call)
    } catch {
      await budget?.settle(call.unsent)
      throw error
    }
    open = call
    return output
  }

  /// Takes back that a request is about to be sent.
  package func withdraw() async {
    guard let call = open?.unsent else { return }
    open = nil
    await budget?.settle(call)
    // Where this fails the request counts as one that may have been sent.
    try? store.end(call)
  }

  /// Ends the call in flight, for the caller to commit with what came of it.
  ///
  /// - Returns: The call; nil when none is in flight.
  package func end(_ last: ModelTry?, _ outcome: Call.Outcome) async -> Call? {
    guard var call = open, let last else { return nil }
    open = nil
    call.end(last.usage, last.costUSD, outcome)
    ended.append(call)
    await budget?.settle(call)
    return call
  }

  /// Commits what was paid for; where the disk is full, in the room that was kept for it.
  ///
  /// - Throws: What `commit` throws when there is no room even so.
  package nonisolated func keep(_ commit: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try commit()
    } catch {
      guard error.code == .storageFailed, ballast.release() else { throw error }
      try commit()
    }
  }
}

extension Call {
  /// The call as one that never was: it used nothing.
  fileprivate var unsent: Call {
    var call = self
    call.end(Usage(), 0, .failed)
    return call
  }

  fileprivate mutating func end(_ usage: Usage?, _ costUSD: Double?, _ outcome: Outcome) {
    finishedAt = .now
    self.usage = usage
    self.costUSD = costUSD
    self.outcome = outcome
  }

  /// A question's requests as one call, for whoever watches.
  package init?(_ calls: [Call], _ outcome: ModelOutcome) {
    guard let first = calls.first, let last = calls.last else { return nil }
    self = last
    startedAt = first.startedAt
    usage = outcome.usage
    costUSD = outcome.costUSD
  }
}
