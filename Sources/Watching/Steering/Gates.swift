public import Core
public import Events
import Requests
public import Storage

/// What waits for a decision, and who decides it.
public struct Gates: Sendable {
  /// What a decision came to.
  public struct Verdict: Sendable {
    /// The receipt of the decision that counts.
    public var receipt: DecisionReceipt
    /// Why it is not the one that was asked for; nil where it is.
    public var failure: Failure?

    /// Puts them together.
    public init(receipt: DecisionReceipt, failure: Failure? = nil) {
      (self.receipt, self.failure) = (receipt, failure)
    }
  }

  let store: Store
  /// What is told how gates stand: what cannot be kept there is in the store.
  let journal: EventJournal

  /// The gates of a store.
  ///
  /// - Parameters:
  ///   - store: Where they are.
  ///   - journal: Is told how they stand; where it cannot keep that, it complains.
  public init(store: Store, journal: EventJournal) {
    self.store = store
    self.journal = journal
  }

  /// The gates that wait, the oldest first, or all of them.
  ///
  /// - Throws: `StorageFailed`.
  public static func list(
    _ store: Store, withDecided: Bool, at now: Timestamp
  ) throws(Failure) -> [ApprovalGate] {
    try store.expireGates(at: now)
    return try store.gates(status: withDecided ? nil : .pending)
  }

  /// A gate, and every decision that was tried at it; nil where there is none.
  ///
  /// - Throws: `StorageFailed`.
  public static func find(
    _ id: String, in store: Store, at now: Timestamp
  ) throws(Failure) -> (gate: ApprovalGate, decisions: [DecisionReceipt])? {
    try store.expireGates(at: now)
    guard let gate = try store.gate(try whole(id, in: store)) else { return nil }
    return (gate, try store.decisions(atGate: gate.gateId))
  }

  /// The result that a gate is about; nil where there is none.
  ///
  /// - Throws: `StorageFailed`.
  public static func result(
    of gate: ApprovalGate, in store: Store
  ) throws(Failure) -> Artifact? {
    guard let pipeline = gate.pipelineId, let stage = gate.stageId else { return nil }
    return try store.artifacts(of: pipeline).last { $0.stageId == stage }
  }

  /// The whole id of a gate that is named by a part of it; else the part.
  ///
  /// - Throws: `BadUsage` where it is a part of several, `StorageFailed`.
  static func whole(_ part: String, in store: Store) throws(Failure) -> String {
    if try store.gate(part) != nil { return part }
    return try IdPart.whole(part, among: try store.gates().lazy.map(\.gateId), "gate") ?? part
  }

  /// What is wrong with the reason of a rejection, in a sentence; nil where nothing is.
  public static func fault(ofReason reason: String) -> String? {
    reason.isReason ? nil : "The reason must have at least 10 characters."
  }

  /// Decides a gate; of several decisions the first wins, all are kept.
  ///
  /// - Parameters:
  ///   - id: The gate.
  ///   - decision: What is decided.
  ///   - request: Who decides, and why: a rejection says it in 10 characters or more.
  ///   - limits: How often one may decide.
  ///   - isHere: `true` to decide a gate that a hub owns.
  ///   - now: The present.
  /// - Returns: What counts.
  /// - Throws: `BadInput` for a reason that is too short; `NotFound`; `Conflict` for a known request
  ///   id with other contents, and of the kind `held` for a gate that a hub owns; `RateLimited`,
  ///   `StorageFailed`.
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
