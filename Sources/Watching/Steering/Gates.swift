public import Core
public import Events
import Requests
public import Storage

/// Approval gates and their decisions.
public struct Gates: Sendable {
  /// The result of a decision.
  public struct Verdict: Sendable {
    /// The receipt of the decision that counts.
    public var receipt: DecisionReceipt
    /// The reason why another decision counts; nil if the requested one does.
    public var failure: Failure?

    /// Creates the verdict.
    public init(receipt: DecisionReceipt, failure: Failure? = nil) {
      (self.receipt, self.failure) = (receipt, failure)
    }
  }

  let store: Store
  /// The journal of the gates' states; a state that cannot be logged is still in the store.
  let journal: EventJournal

  /// Creates the gates of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - journal: The journal of their states; it reports a state that it cannot log.
  public init(store: Store, journal: EventJournal) {
    self.store = store
    self.journal = journal
  }

  /// Returns the pending gates, the oldest first, or all of them.
  ///
  /// - Throws: `StorageFailed`.
  public static func list(
    _ store: Store, withDecided: Bool, at now: Timestamp
  ) throws(Failure) -> [ApprovalGate] {
    try store.expireGates(at: now)
    return try store.gates(status: withDecided ? nil : .pending)
  }

  /// Returns a gate, and all attempted decisions; nil if it does not exist.
  ///
  /// - Throws: `StorageFailed`.
  public static func find(
    _ id: String, in store: Store, at now: Timestamp
  ) throws(Failure) -> (gate: ApprovalGate, decisions: [DecisionReceipt])? {
    try store.expireGates(at: now)
    guard let gate = try store.gate(try whole(id, in: store)) else { return nil }
    return (gate, try store.decisions(atGate: gate.gateId))
  }

  /// Returns the result that a gate is about; nil if there is none.
  ///
  /// - Throws: `StorageFailed`.
  public static func result(
    of gate: ApprovalGate, in store: Store
  ) throws(Failure) -> Artifact? {
    guard let pipeline = gate.pipelineId, let stage = gate.stageId else { return nil }
    return try store.artifacts(of: pipeline).last { $0.stageId == stage }
  }

  /// Returns the whole ID of a gate for a part of it; the part itself if nothing matches.
  ///
  /// - Throws: `BadUsage` if several IDs match, `StorageFailed`.
  static func whole(_ part: String, in store: Store) throws(Failure) -> String {
    if try store.gate(part) != nil { return part }
    return try IdPart.whole(part, among: try store.gates().lazy.map(\.gateId), "gate") ?? part
  }

  /// Returns the fault in the reason of a rejection, in a sentence; nil if it is valid.
  public static func fault(ofReason reason: String) -> String? {
    reason.isReason ? nil : "The reason must have at least 10 characters."
  }

  /// Decides a gate; the first of several decisions wins, and all are stored.
  ///
  /// - Parameters:
  ///   - id: The gate.
  ///   - decision: The decision.
  ///   - request: The author and the reason, which for a rejection has 10 characters or more.
  ///   - limits: The rate limits.
  ///   - isHere: `true` to decide a gate that a hub owns.
  ///   - now: The current time.
  /// - Returns: The decision that counts.
  /// - Throws: `BadInput` for a reason that is too short; `NotFound`; `Conflict` for a known
  ///   request ID with other contents, and of the kind `held` for a gate that a hub owns;
  ///   `RateLimited`, `StorageFailed`.
  public func decide(
    _ id: String, _ decision: Decision, by request: Steering.Request, limits: ActionLimits,
    isHere: Bool = false, at now: Timestamp
  ) throws(Failure) -> Verdict {
    if decision == .reject, Self.fault(ofReason: request.reason ?? "") != nil {
      throw Failure(.badInput, "the reason must have at least 10 characters", input: id)
    }
    let id = try Self.whole(id, in: store)
    let (receipt, isWinner) = try store.decide(
      gate: id, decision, reason: request.reason, actor: request.actor, requestId: request.id,
      limits: limits, isHere: isHere, at: now)
    if let gate = try store.gate(id) { journal.record([gate.event]) }
    guard !isWinner else { return Verdict(receipt: receipt) }
    return Verdict(
      receipt: receipt,
      failure: Failure(
        .conflict, "gate '\(id)' is \(receipt.status.rawValue) already, by \(receipt.actor)",
        input: id))
  }
}
