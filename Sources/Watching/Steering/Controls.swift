public import Core
public import Events
import Foundation
public import Requests
public import Storage

/// What is asked of agents that run, and what comes of it.
public struct Controls: Sendable {
  private let store: Store
  private let journal: EventJournal
  private let limits: ActionLimits

  /// Asks the agents of a store.
  ///
  /// - Parameters:
  ///   - store: Where what is asked is kept.
  ///   - journal: What agents tell, and what could not be done.
  ///   - limits: How often one may ask.
  public init(
    store: Store, journal: EventJournal, limits: ActionLimits = ActionLimits()
  ) {
    self.store = store
    self.journal = journal
    self.limits = limits
  }

  /// Asks agents for something; they answer later.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - now: The present.
  /// - Returns: `accepted` where somebody is there to do it, else what came of it.
  /// - Throws: `NotFound`; `Conflict` for a known request id with other contents; `RateLimited`,
  ///   `StorageFailed`.
  public func ask(
    _ request: ControlRequest, at now: Timestamp
  ) throws(Failure) -> ControlReceipt {
    var request = request
    request.id = try Standing(store, at: now).wholeId(request.target, request.id)
    let standing = try Standing(store, at: now).status(request.target, request.id)
    return try store.submit(request, standing: standing, limits: limits, at: now)
  }

  /// Asks agents for something, and waits for the effect.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - seconds: How long to wait at most.
  ///   - interruption: Ends the wait.
  ///   - clock: Tells the present.
  ///   - prepare: Runs once what comes of the request would be noticed, before it is made.
  /// - Returns: What came of it; what could not be done is in the log.
  /// - Throws: As ``ask(_:at:)``; `Interrupted`.
  public func ask(
    _ request: ControlRequest, waiting seconds: Double, interruption: Interruption,
    clock: () -> Timestamp = { .now }, prepare: () throws(Failure) -> Void = {}
  ) throws(Failure) -> ControlReceipt {
    // What is there before the question is asked wakes the waiting afterwards.
    let changes = try store.base.wakeUp(interruption)
    try prepare()
    var receipt = try ask(request, at: clock())
    let end = clock().adding(seconds: seconds)
    while receipt.outcome == .accepted {
      let left = end.seconds(since: clock())
      guard left > 0 else { break }
      _ = try changes(Int32(min(left * 1000 + 1, 3_600_000)))
      receipt.outcome = try store.receipt(receipt.requestId)?.outcome ?? receipt.outcome
    }
    if receipt.outcome == .accepted {
      // Who was to answer may be gone meanwhile.
      let settled = try store.settle(receipt.requestId, at: clock())
      receipt.outcome = settled?.outcome ?? receipt.outcome
    }
    try tell(receipt)
    return receipt
  }

  /// Tells the log of what could not be done; what agents do they tell themselves.
  ///
  /// - Throws: `StorageFailed`.
  public func tell(_ receipt: ControlReceipt) throws(Failure) {
    guard !receipt.replayed, [.refused, .unreachable].contains(receipt.outcome) else { return }
    try journal.append([Control(receipt)])
  }

  /// Looks whether there is somebody to ask, before a person is.
  ///
  /// - Throws: `NotFound` where nobody has heard of the agent or the swarm; `StorageFailed`.
  public func find(_ target: ControlTarget, _ id: String, at now: Timestamp) throws(Failure) {
    guard try Standing(store, at: now).status(target, id) == nil,
      try !store.hasRunners(target, id)
    else { return }
    throw Failure(.notFound, "there is no \(target.rawValue) '\(id)'", input: id)
  }

  /// Keeps in the audit that something was asked and refused before it was made.
  ///
  /// - Throws: `StorageFailed`.
  public static func note(
    _ request: ControlRequest, refused failure: Failure, in store: Store, at now: Timestamp
  ) throws(Failure) {
    try store.record(
      AuditEntry(
        ts: now.milliseconds, target: request.target == .agent ? .agent : .swarm, id: request.id,
        action: request.action.rawValue, requestId: request.requestId, actor: request.actor,
        reason: request.reason, outcome: failure.code.rawValue))
  }
}

extension ControlReceipt {
  /// Why it did not come to what was asked; nil when it did.
  public var failure: Failure? {
    let name = "\(target.rawValue) '\(id)'"
    return switch outcome {
    case .applied: nil
    case .accepted:
      Failure(.notAnswered, "\(name) has not answered yet", input: id)
    case .refused:
      Failure(.conflict, "\(name) cannot \(action.rawValue): it is done already", input: id)
    case .unreachable:
      Failure(.agentUnreachable, "no process runs \(name) any more", input: id)
    }
  }
}

extension Control {
  /// What was asked and could not be done, as the log tells it.
  fileprivate init(_ receipt: ControlReceipt) {
    self.init(
      ts: receipt.ts, requestId: receipt.requestId, target: receipt.target,
      action: receipt.action, reason: receipt.reason, actor: receipt.actor,
      outcome: receipt.outcome)
    head.srcId = "control:\(receipt.requestId):"
    head.swarmId = receipt.target == .swarm ? receipt.id : nil
    head.agentId = receipt.target == .agent ? receipt.id : nil
  }
}
