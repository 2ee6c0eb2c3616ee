public import Core
public import Events
import Foundation
public import Requests
public import Storage

/// The controls of agents: requests to pause, resume or terminate them, and the outcomes.
public struct Controls: Sendable {
  private let store: Store
  private let journal: EventJournal
  private let limits: ActionLimits

  /// Creates the controls in the given store.
  ///
  /// - Parameters:
  ///   - store: The store that contains the requests.
  ///   - journal: The journal of the agents' events. Failed requests are logged there.
  ///   - limits: The rate limits of requests.
  public init(
    store: Store, journal: EventJournal, limits: ActionLimits = ActionLimits()
  ) {
    self.store = store
    self.journal = journal
    self.limits = limits
  }

  /// Sends the given control to agents, which report its outcome later.
  ///
  /// - Parameters:
  ///   - request: The control to send.
  ///   - now: The current time; nil for the store's own clock.
  /// - Returns: The outcome; `accepted` if an agent can still carry out the control.
  /// - Throws: `NotFound` if the target does not exist; `Conflict` if the request ID was already
  ///   used with other contents; `RateLimited` if too many requests were made; `StorageFailed` if
  ///   the store cannot be changed.
  public func submit(
    _ request: ControlRequest, at now: Timestamp? = nil
  ) throws(Failure) -> ControlReceipt {
    var request = request
    request.id = try Standing(store, at: now).wholeId(request.target, request.id)
    let standing = try Standing(store, at: now).status(request.target, request.id)
    return try store.submit(request, standing: standing, limits: limits, at: now)
  }

  /// Sends the given control to agents, and waits for its outcome.
  ///
  /// - Parameters:
  ///   - request: The control to send.
  ///   - seconds: The maximum wait.
  ///   - interruption: The interruption that ends the wait.
  ///   - now: The time of the request; nil for the store's own clock.
  ///   - prepare: A closure that is called before the control is sent, at a time when its outcome
  ///     would already be noticed.
  /// - Returns: The outcome. A failed control is also logged.
  /// - Throws: `Interrupted` if the wait was interrupted; the errors of ``submit(_:at:)``.
  public func send(
    _ request: ControlRequest, waiting seconds: Double, interruption: Interruption,
    at now: Timestamp? = nil, prepare: () throws(Failure) -> Void = {}
  ) throws(Failure) -> ControlReceipt {
    // The wake-up is installed before the control is sent, so that no outcome is missed.
    let changes = try store.base.wakeUp(interruption)
    try prepare()
    var receipt = try submit(request, at: now)
    let end = ContinuousClock.now + .seconds(seconds)
    while receipt.outcome == .accepted {
      let left = (end - .now) / .milliseconds(1)
      guard left > 0 else { break }
      _ = try changes(Int32(min(left + 1, 3_600_000)))
      guard let stored = try store.receipt(receipt.requestId) else { continue }
      (receipt.outcome, receipt.note) = (stored.outcome, stored.note)
    }
    if receipt.outcome == .accepted {
      // The agent's runner may have ended meanwhile.
      let settled = try store.settle(receipt.requestId, at: now)
      receipt.outcome = settled?.outcome ?? receipt.outcome
      receipt.note = settled?.note ?? receipt.note
    }
    try record(receipt)
    return receipt
  }

  /// Logs the given outcome if the control failed.
  ///
  /// The outcomes of controls that are carried out are logged by the agents. A repeated request that
  /// no agent answered is logged again, because the process that stored it may have ended before it
  /// logged the outcome. The event's `srcId` removes the duplicate.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read or the log cannot be written.
  public func record(_ receipt: ControlReceipt) throws(Failure) {
    guard [.refused, .unreachable].contains(receipt.outcome) else { return }
    let isAnswer = receipt.replayed && receipt.outcome == .refused
    if isAnswer, try store.isDelivered(receipt.requestId) { return }
    try journal.append([Control(receipt)])
  }

  /// Checks that the given target exists, before the user is asked to confirm a control.
  ///
  /// - Throws: `NotFound` if the agent or the swarm is unknown; `StorageFailed` if the store cannot
  ///   be read.
  public func find(_ target: ControlTarget, _ id: String) throws(Failure) {
    guard try Standing(store).status(target, id) == nil,
      try !store.hasRunners(target, id)
    else { return }
    throw Failure(.notFound, "there is no \(target.rawValue) '\(id)'", input: id)
  }

  /// Records in the audit that the given request was refused before it was sent.
  ///
  /// - Throws: `StorageFailed` if the audit cannot be written.
  public static func record(
    _ request: ControlRequest, refused failure: Failure, in store: Store
  ) throws(Failure) {
    try store.record(
      AuditEntry(
        ts: store.now.milliseconds, target: request.target == .agent ? .agent : .swarm,
        id: request.id,
        action: request.action.rawValue, requestId: request.requestId, actor: request.actor,
        deviceId: request.deviceId, reason: request.reason, outcome: failure.code.rawValue))
  }
}

extension ControlReceipt {
  /// The failure that explains why the control had no effect; nil if it was applied.
  public var failure: Failure? {
    let name = "\(target.rawValue) '\(id)'"
    return switch outcome {
    case .applied: nil
    case .accepted:
      Failure(.notAnswered, "\(name) has not answered yet", input: id)
    case .refused:
      Failure(
        .conflict, "\(name) cannot \(action.rawValue): \(note ?? "it has ended")", input: id)
    case .unreachable:
      Failure(
        .agentUnreachable, "nothing steers \(name) any more", input: id,
        nextStep: "start the agent again; if it still runs, start 'agent-adopt --follow'")
    }
  }
}

extension Control {
  /// Creates the event that reports a failed control with the given receipt.
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
