public import Core
public import Events
import Foundation
public import Requests
public import Storage

/// Controls for running agents, and their outcomes.
public struct Controls: Sendable {
  private let store: Store
  private let journal: EventJournal
  private let limits: ActionLimits

  /// Creates the controls of a store.
  ///
  /// - Parameters:
  ///   - store: The store of the requests.
  ///   - journal: The journal of agents' events and of failed requests.
  ///   - limits: The rate limits.
  public init(
    store: Store, journal: EventJournal, limits: ActionLimits = ActionLimits()
  ) {
    self.store = store
    self.journal = journal
    self.limits = limits
  }

  /// Sends a control to agents, which answer later.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The current time.
  /// - Returns: `accepted` if a runner can carry it out, else its outcome.
  /// - Throws: `NotFound`; `Conflict` for a known request ID with other contents; `RateLimited`,
  ///   `StorageFailed`.
  public func ask(
    _ request: ControlRequest, at now: Timestamp
  ) throws(Failure) -> ControlReceipt {
    var request = request
    request.id = try Standing(store, at: now).wholeId(request.target, request.id)
    let standing = try Standing(store, at: now).status(request.target, request.id)
    return try store.ask(request, standing: standing, limits: limits, at: now)
  }

  /// Sends a control to agents, and waits for the effect.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - seconds: The longest wait.
  ///   - interruption: Ends the wait.
  ///   - clock: Returns the current time.
  ///   - prepare: Runs before the request is made, once its outcome would be noticed.
  /// - Returns: The outcome; a failed request is also logged.
  /// - Throws: The errors of ``ask(_:at:)``; `Interrupted`.
  public func ask(
    _ request: ControlRequest, waiting seconds: Double, interruption: Interruption,
    clock: () -> Timestamp = { .now }, prepare: () throws(Failure) -> Void = {}
  ) throws(Failure) -> ControlReceipt {
    // The wake-up is installed before the request, so that no answer is missed.
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
      // The runner that was to answer may have ended meanwhile.
      let settled = try store.settle(receipt.requestId, at: clock())
      receipt.outcome = settled?.outcome ?? receipt.outcome
    }
    try tell(receipt)
    return receipt
  }

  /// Logs a request that failed; agents log those that they carry out.
  ///
  /// - Throws: `StorageFailed`.
  public func tell(_ receipt: ControlReceipt) throws(Failure) {
    guard !receipt.replayed, [.refused, .unreachable].contains(receipt.outcome) else { return }
    try journal.append([Control(receipt)])
  }

  /// Checks that a target exists, before the user is asked to confirm.
  ///
  /// - Throws: `NotFound` if the agent or the swarm is unknown; `StorageFailed`.
  public func find(_ target: ControlTarget, _ id: String, at now: Timestamp) throws(Failure) {
    guard try Standing(store, at: now).status(target, id) == nil,
      try !store.hasRunners(target, id)
    else { return }
    throw Failure(.notFound, "there is no \(target.rawValue) '\(id)'", input: id)
  }

  /// Records in the audit a request that was refused before it was made.
  ///
  /// - Throws: `StorageFailed`.
  public static func note(
    _ request: ControlRequest, refused failure: Failure, in store: Store, at now: Timestamp
  ) throws(Failure) {
    try store.note(
      AuditEntry(
        ts: now.milliseconds, target: request.target == .agent ? .agent : .swarm, id: request.id,
        action: request.action.rawValue, requestId: request.requestId, actor: request.actor,
        reason: request.reason, outcome: failure.code.rawValue))
  }
}

extension ControlReceipt {
  /// The reason why the request had no effect; nil if it was applied.
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
  /// Creates the event of a request that failed.
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
