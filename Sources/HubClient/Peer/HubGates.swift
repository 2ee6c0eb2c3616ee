public import Core
public import Events
import HTTP
import HubWords
import Requests
public import Storage
import Synchronization

/// The gates of runs that report to a hub: once the hub has a gate, the hub owns it, and the row in
/// the store is a receipt.
///
/// The hub reports its gates over the connection on which it steers the run; nobody polls.
public final class HubGates: Sendable {
  private struct State {
    /// The gates that the hub has reported.
    var heard: Set<String> = []
    /// Ends the wait for the hub's first report of a gate.
    var waiting: [String: AsyncStream<Void>.Continuation] = [:]
  }

  private let peer: HubPeer
  private let store: Store
  private let note: Note
  private let state = Mutex(State())
  /// The longest wait for the hub's report of a gate at which nobody waits.
  private static let patience = Duration.seconds(3)

  /// The gates of a store that are offered to a hub.
  ///
  /// - Parameters:
  ///   - peer: The hub.
  ///   - store: The store of the gates.
  ///   - note: Is told of a decision that was made here and lost.
  public init(_ peer: HubPeer, store: Store, note: @escaping Note) {
    var peer = peer
    peer.timeouts = HTTPTimeouts(connect: 3, idle: 5, total: 10)
    (self.peer, self.store, self.note) = (peer, store, note)
  }

  private var hub: String { peer.hub.url }

  // MARK: Runs

  /// Waits for a decision, here or at the hub.
  ///
  /// - Parameters:
  ///   - gateId: The gate, which is in the store.
  ///   - here: Waits for the decision in the store.
  /// - Returns: The decided gate; nil if it is pending and nobody waits.
  /// - Throws: What `here` throws; `StorageFailed`.
  public func decision(
    gateId: String, _ here: () async throws(Failure) -> ApprovalGate?
  ) async throws(Failure) -> ApprovalGate? {
    try store.offer(gate: gateId, to: hub)
    if try await here() == nil { await report(of: gateId) }
    await tellAll()
    return try store.gate(gateId).flatMap { $0.status == .pending ? nil : $0 }
  }

  /// Waits for the hub's report of a gate, for a while.
  private func report(of gateId: String) async {
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

  /// Asks the hub once for a gate, and takes its report.
  public func look(at gateId: String) async {
    guard let body = try? await peer.get("/v1/approval-gates/\(gateId.percentEncoded)"),
      let answer = try? GateAnswer(json: body)
    else { return }
    await take(answer)
  }

  /// Takes the hub's report of a gate.
  func take(_ answer: GateAnswer) async {
    guard let gate = try? ApprovalGate(json: answer.approvalGate.json),
      let own = try? store.gate(gate.gateId)
    else { return }
    do throws(Failure) {
      try store.offer(gate: gate.gateId, to: hub)
      if gate.status == .pending {
        // A decision that was made here before stands: the hub has yet to be told.
        if try !store.hold(gate: gate.gateId) { await tellAll() }
      } else if let receipt = try Self.winner(in: answer, of: gate) {
        try settle(own, by: receipt)
      }
    } catch {
      note("cannot store gate '\(gate.gateId)' of '\(hub)': \(error.explanation)")
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

  /// Replaces what is known of a gate with the hub's decision.
  private func settle(_ own: ApprovalGate, by receipt: DecisionReceipt) throws(Failure) {
    try store.settle(gate: own.gateId, by: receipt)
    // Expired here is rejected there.
    let isSame = (own.status == .approved) == (receipt.status == .approved)
    guard own.status != .pending, !isSame else { return }
    note(
      """
      gate '\(own.gateId)' was \(own.status.rawValue) here too late: it was \
      \(receipt.status.rawValue) at '\(hub)' by \(receipt.actor)
      """)
  }

  // MARK: Telling

  /// Tells the hub every decision that was made here and that it has not been told.
  ///
  /// A hub that is away, or does not know a gate yet, is told another time.
  public func tellAll() async {
    do throws(Failure) {
      for gate in try store.untoldGates(hub) { try await tell(gate) }
    } catch {
      return
    }
  }

  /// Tells the hub a decision that was made here; if the hub has another one, that one counts.
  private func tell(_ gateId: String) async throws(Failure) {
    guard let gate = try store.gate(gateId),
      let own = try store.decisions(atGate: gateId).first(where: { $0.status == gate.status })
    else { return }
    let body = DecisionBody(
      decision: own.decision, reason: own.reason, requestId: own.requestId)
    let outcome = try await peer.outcome(
      "POST", "/v1/approval-gates/\(gateId.percentEncoded)/decision", body: try body.body())
    guard let failure = outcome.failure else { return try store.settle(gate: gateId, by: own) }
    guard failure.code == .conflict, let members = try? ErrorMembers(json: outcome.body),
      let receipt = members.receipt
    else { return }
    try settle(gate, by: try DecisionReceipt(json: receipt.json))
  }
}
