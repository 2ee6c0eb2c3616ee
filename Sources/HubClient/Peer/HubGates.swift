public import Core
import HTTP
import HubWords
import Requests
public import Storage

/// Decisions about gates that wait here and at a hub: who decides first does so for both.
public struct HubGates: Sendable {
  private let peer: HubPeer
  private let store: Store
  /// How often the hub is asked, in seconds.
  private static let pause = 1.0
  /// How long it is asked where nobody waits here.
  private static let patience = Duration.seconds(3)

  /// The gates of a store that were told to a hub.
  public init(_ peer: HubPeer, store: Store) {
    var peer = peer
    peer.timeouts = HTTPTimeouts(connect: 3, idle: 5, total: 10)
    (self.peer, self.store) = (peer, store)
  }

  /// What the hub says of a gate.
  private enum Answer {
    case decided, waits, nothing
  }

  /// Waits for a decision here, while one at the hub becomes one here.
  ///
  /// - Parameters:
  ///   - gateId: The gate, which is in the store.
  ///   - here: Waits for the decision in the store.
  /// - Returns: What `here` gives, or what was decided at the hub before.
  /// - Throws: What `here` throws.
  public func decision(
    gateId: String, _ here: () async throws(Failure) -> ApprovalGate?
  ) async throws(Failure) -> ApprovalGate? {
    let following = Task {
      repeat {
        if await take(gateId) == .decided { return }
      } while (try? await Task.sleep(for: .seconds(Self.pause))) != nil
    }
    defer { following.cancel() }
    if let gate = try await here() {
      if gate.status != .pending { await tell(gate) }
      return gate
    }
    following.cancel()
    // Nobody waits here: what was decided there before counts.
    let end = ContinuousClock.now + Self.patience
    var answer = await take(gateId)
    while answer == .nothing, ContinuousClock.now < end,
      (try? await Task.sleep(for: .milliseconds(100))) != nil
    {
      answer = await take(gateId)
    }
    guard answer == .decided else { return nil }
    return try store.gate(gateId).flatMap { $0.status == .pending ? nil : $0 }
  }

  /// Takes over what was decided at the hub.
  ///
  /// - Returns: What the hub says; nothing where it is away, or has not heard of the gate or the run yet.
  private func take(_ gateId: String) async -> Answer {
    do throws(Failure) {
      guard try store.gate(gateId)?.status == .pending else { return .decided }
      let path = "/v1/approval-gates/\(gateId.percentEncoded)"
      let body = try await peer.get(path)
      guard let answer = try? GateAnswer(json: body) else { return .nothing }
      let gate = try ApprovalGate(json: answer.approvalGate.json)
      guard gate.status != .pending else { return .waits }
      for decision in answer.decisions {
        let receipt = try DecisionReceipt(json: decision.json)
        guard receipt.status == gate.status else { continue }
        _ = try store.decide(
          gate: gateId, receipt.decision, reason: receipt.reason, actor: receipt.actor,
          requestId: receipt.requestId)
        return .decided
      }
      try store.expire(gate: gateId, reason: "nobody decided at the hub in time")
      return .decided
    } catch {
      return .nothing
    }
  }

  /// Tells the hub what was decided here; what came from there is the same request, and changes nothing.
  private func tell(_ gate: ApprovalGate) async {
    guard
      let receipt = try? store.decisions(atGate: gate.gateId)
        .first(where: { $0.status == gate.status }),
      let body = try? DecisionBody(
        decision: receipt.decision, reason: receipt.reason, requestId: receipt.requestId
      )
      .body()
    else { return }
    // A hub that is away keeps the gate until somebody decides it there, for nobody.
    _ = try? await peer.send(
      "POST", "/v1/approval-gates/\(gate.gateId.percentEncoded)/decision", body: body)
  }
}
