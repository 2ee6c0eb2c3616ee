public import Core
public import Events
import Requests
public import Storage

/// The approval gates in a store, and their decisions.
public struct Gates: Sendable {
  /// The outcome of an attempted decision.
  public struct Verdict: Sendable {
    /// The receipt of the decision that took effect.
    public var receipt: DecisionReceipt
    /// The reason why another decision took effect; nil if the attempted one did.
    public var failure: Failure?

    /// Creates the verdict.
    public init(receipt: DecisionReceipt, failure: Failure? = nil) {
      (self.receipt, self.failure) = (receipt, failure)
    }
  }

  let store: Store
  /// The journal in which the states of gates are logged.
  ///
  /// A state that cannot be logged is still in the store.
  let journal: EventJournal

  /// Creates access to the gates in the given store.
  ///
  /// - Parameters:
  ///   - store: The store that contains the gates.
  ///   - journal: The journal in which the states of gates are logged. It reports a state that it
  ///     cannot log.
  public init(store: Store, journal: EventJournal) {
    self.store = store
    self.journal = journal
  }

  /// Returns the pending gates, or all gates, the oldest first.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public static func list(
    _ store: Store, withDecided: Bool, at now: Timestamp? = nil
  ) throws(Failure) -> [ApprovalGate] {
    try store.expireGates(at: now)
    return try store.gates(status: withDecided ? nil : .pending)
  }

  /// Returns the given gate and all attempted decisions; nil if there is no such gate.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public static func find(
    _ id: String, in store: Store, at now: Timestamp? = nil
  ) throws(Failure) -> (gate: ApprovalGate, decisions: [DecisionReceipt])? {
    try store.expireGates(at: now)
    guard let gate = try store.gate(try whole(id, in: store)) else { return nil }
    return (gate, try store.decisions(atGate: gate.gateId))
  }

  /// Returns the result that the given gate is about; nil if it has none.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public static func result(
    of gate: ApprovalGate, in store: Store
  ) throws(Failure) -> Artifact? {
    guard let pipeline = gate.pipelineId, let stage = gate.stageId else { return nil }
    return try store.artifacts(of: pipeline).last { $0.stageId == stage }
  }

  /// Returns the whole ID of the gate that the given part of an ID identifies.
  ///
  /// - Returns: The ID; the part itself if no ID matches.
  /// - Throws: `BadUsage` if several IDs match; `StorageFailed` if the store cannot be read.
  static func whole(_ part: String, in store: Store) throws(Failure) -> String {
    if try store.gate(part) != nil { return part }
    return try IdPart.whole(part, among: try store.gates().lazy.map(\.gateId), "gate") ?? part
  }

  /// Returns a sentence about the fault in the given reason of a rejection; nil if the reason is
  /// valid.
  public static func fault(ofReason reason: String) -> String? {
    reason.isReason ? nil : "The reason must have at least 10 characters."
  }

  /// Decides the given gate.
  ///
  /// The first decision takes effect. All attempts are stored.
  ///
  /// - Parameters:
  ///   - id: The ID of the gate.
  ///   - decision: The decision to make.
  ///   - request: The author and the reason. The reason of a rejection has at least 10 characters.
  ///   - limits: The rate limits of decisions.
  ///   - isHere: `true` to decide the gate here even if a hub owns it.
  ///   - now: The current time; nil for the store's own clock.
  /// - Returns: The decision that took effect.
  /// - Throws: `BadInput` if the reason is too short; `NotFound` if there is no such gate;
  ///   `Conflict` if the request ID was already used with other contents; `Conflict` of the kind
  ///   `held` if a hub owns the gate; `RateLimited` if too many decisions were made;
  ///   `StorageFailed` if the store cannot be changed.
  public func decide(
    _ id: String, _ decision: Decision, by request: Steering.Request, limits: ActionLimits,
    isHere: Bool = false, at now: Timestamp? = nil
  ) throws(Failure) -> Verdict {
    if decision == .reject, Self.fault(ofReason: request.reason ?? "") != nil {
      throw Failure(.badInput, "the reason must have at least 10 characters", input: id)
    }
    let id = try Self.whole(id, in: store)
    let (receipt, isWinner) = try store.decide(
      gate: id, decision, reason: request.reason, actor: request.actor, deviceId: request.deviceId,
      requestId: request.id,
      limits: limits, isHere: isHere, at: now)
    if let gate = try store.gate(id) { journal.record([gate.event]) }
    guard !isWinner else { return Verdict(receipt: receipt) }
    let isClosed =
      receipt.status == .expired || receipt.requestId == GateReport.withdrawal(of: id)
    let end =
      isClosed
      ? "closed already: \(receipt.reason ?? "nobody waits for it")"
      : "\(receipt.status.rawValue) already, by \(receipt.actor)"
    return Verdict(
      receipt: receipt, failure: Failure(.conflict, "gate '\(id)' is \(end)", input: id))
  }
}
