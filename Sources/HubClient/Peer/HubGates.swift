public import Core
import HTTP
import HubWords
import Requests
public import Storage
import Synchronization

/// The gates of runs that report to a hub.
///
/// A gate that the hub knows is decided there, and its row in the store is a copy. The hub reports
/// changes over the connection through which it steers the run.
public final class HubGates: Sendable {
  private struct State {
    /// The ids of the gates that the hub has reported.
    var heard: Set<String> = []
    /// The continuations of callers that wait for the hub's first report of a gate, by gate id.
    var waiting: [String: AsyncStream<Void>.Continuation] = [:]
  }

  private let hubs: HubGroup
  private let store: Store
  private let report: NoticeHandler
  private let state = Mutex(State())
  /// The longest wait for the hub's first report of a gate.
  private static let patience = Duration.seconds(3)

  /// Connects the gates of the given store to the given hub.
  ///
  /// - Parameters:
  ///   - hubs: The hub or its group.
  ///   - store: The store of the gates.
  ///   - report: Receives a sentence about each local decision that a decision at the hub
  ///     overrides.
  public init(_ hubs: HubGroup, store: Store, report: @escaping NoticeHandler) {
    var hubs = hubs
    hubs.timeouts = HTTPTimeouts(connect: 3, idle: 5, total: 10)
    (self.hubs, self.store, self.report) = (hubs, store, report)
  }

  private var hub: String { hubs.name }

  // MARK: Runs

  /// Waits for the decision of the given gate, made on this machine or at the hub.
  ///
  /// - Parameters:
  ///   - gateId: The id of a gate in the store.
  ///   - here: Waits for the decision in the store.
  /// - Returns: The decided gate; nil if it is still pending.
  /// - Throws: The errors of `here`; `StorageFailed` if the store cannot be read or written.
  public func decision(
    gateId: String, _ here: () async throws(Failure) -> ApprovalGate?
  ) async throws(Failure) -> ApprovalGate? {
    try store.offer(gate: gateId, to: hub)
    if try await here() == nil { await awaitReport(of: gateId) }
    await sendDecisions()
    return try store.gate(gateId).flatMap { $0.status == .pending ? nil : $0 }
  }

  /// Waits at most three seconds for the hub's first report of the given gate.
  private func awaitReport(of gateId: String) async {
    let (reports, continuation) = AsyncStream<Void>.makeStream()
    let isHeard = state.withLock { state in
      if state.heard.contains(gateId) { return true }
      state.waiting[gateId] = continuation
      return false
    }
    guard !isHeard else { return }
    let end = Task {
      try? await Task.sleep(for: Self.patience)
      continuation.finish()
    }
    for await _ in reports {}
    end.cancel()
    state.withLock { $0.waiting[gateId] = nil }
  }

  // MARK: Reports

  /// Fetches the given gate from the hub and applies the hub's state to the store.
  public func refresh(_ gateId: String) async {
    guard let body = try? await hubs.get("/v1/approval-gates/\(gateId.percentEncoded)"),
      let answer = try? GateAnswer(json: body)
    else { return }
    await apply(answer)
  }

  /// Applies the hub's given report of a gate to the store.
  func apply(_ answer: GateAnswer) async {
    guard let gate = try? ApprovalGate(json: answer.approvalGate.json),
      let own = try? store.gate(gate.gateId)
    else { return }
    do throws(Failure) {
      try store.offer(gate: gate.gateId, to: hub)
      if gate.status == .pending {
        // The gate was already decided locally, and the hub does not have that decision yet.
        if try !store.hold(gate: gate.gateId) { await sendDecisions() }
      } else if let receipt = try Self.winner(in: answer, of: gate) {
        try settle(own, by: receipt)
      }
    } catch {
      report("cannot store gate '\(gate.gateId)' of '\(hub)': \(error.explanation)")
    }
    let waiting = state.withLock { state in
      state.heard.insert(gate.gateId)
      return state.waiting[gate.gateId]
    }
    waiting?.finish()
  }

  private static func winner(
    in answer: GateAnswer, of gate: ApprovalGate
  ) throws(Failure) -> DecisionReceipt? {
    try answer.decisions.map { (text) throws(Failure) in try DecisionReceipt(json: text.json) }
      .first { $0.status == gate.status }
  }

  /// Replaces the local state of the given gate with the hub's decision.
  private func settle(_ own: ApprovalGate, by receipt: DecisionReceipt) throws(Failure) {
    try store.settle(gate: own.gateId, by: receipt)
    // A gate that expired here counts as rejected at the hub.
    let isSame = (own.status == .approved) == (receipt.status == .approved)
    guard own.status != .pending, !isSame else { return }
    report(
      """
      gate '\(own.gateId)' was \(own.status.rawValue) here too late: it was \
      \(receipt.status.rawValue) at '\(hub)' by \(receipt.actor)
      """)
  }

  // MARK: Decisions

  /// Sends the hub every local decision that it does not have.
  ///
  /// If the hub is unreachable or does not know the gate yet, a later call sends the decision.
  public func sendDecisions() async {
    do throws(Failure) {
      for gate in try store.unreportedGates(hub) { try await sendDecision(gate) }
    } catch {
      return
    }
  }

  /// Sends the hub the local decision on the given gate.
  ///
  /// If the hub already has another decision, that one counts.
  private func sendDecision(_ gateId: String) async throws(Failure) {
    guard let gate = try store.gate(gateId),
      let own = try store.decisions(atGate: gateId).first(where: { $0.status == gate.status })
    else { return }
    let body = DecisionBody(
      decision: own.decision, reason: own.reason, requestId: own.requestId)
    let outcome = try await hubs.outcome(
      "POST", "/v1/approval-gates/\(gateId.percentEncoded)/decision", body: try body.body())
    guard let failure = outcome.failure else { return try store.settle(gate: gateId, by: own) }
    guard failure.code == .conflict, let members = try? ErrorMembers(json: outcome.body),
      let receipt = members.receipt
    else { return }
    try settle(gate, by: try DecisionReceipt(json: receipt.json))
  }
}
