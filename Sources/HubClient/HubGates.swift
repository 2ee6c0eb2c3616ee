public import Core
import HTTP
import Requests

/// Decisions about gates that wait here and at a hub: who decides first does so for both.
public struct HubGates: Sendable {
  private let peer: HubPeer
  private let store: Store
  /// How often the hub is asked, in seconds.
  private static let pause = 1.0

  /// The gates of a store that were told to a hub.
  public init(_ peer: HubPeer, store: Store) {
    var peer = peer
    peer.timeouts = HTTPTimeouts(connect: 3, idle: 5, total: 10)
    (self.peer, self.store) = (peer, store)
  }

  /// Waits for a decision here, while one at the hub becomes one here.
  ///
  /// - Parameters:
  ///   - gateId: The gate, which is in the store.
  ///   - here: Waits for the decision in the store.
  /// - Returns: What `here` gives.
  /// - Throws: What `here` throws.
  public func decision(
    gateId: String, _ here: () async throws(Failure) -> ApprovalGate?
  ) async throws(Failure) -> ApprovalGate? {
    // What was decided while nobody waited counts at once.
    let isDecided = await take(gateId)
    let following = Task {
      while !isDecided, (try? await Task.sleep(for: .seconds(Self.pause))) != nil {
        if await take(gateId) { return }
      }
    }
    defer { following.cancel() }
    let gate = try await here()
    if let gate, gate.status != .pending { await tell(gate) }
    return gate
  }

  /// Takes over what was decided at the hub.
  ///
  /// - Returns: Whether the gate waits no more.
  private func take(_ gateId: String) async -> Bool {
    do throws(Failure) {
      guard try store.gate(gateId)?.status == .pending else { return true }
      let path = "/v1/approval-gates/\(gateId.percentEncoded)"
      let body = try await peer.get(path)
      guard let answer = RawRecord(object: String(decoding: body, as: UTF8.self)),
        let text = answer.json("approvalGate")
      else { return false }
      let gate = try ApprovalGate(json: text)
      guard gate.status != .pending else { return false }
      for line in JSONElements(Array((answer.json("decisions") ?? "[]").utf8)) {
        let receipt = try DecisionReceipt(json: String(decoding: line, as: UTF8.self))
        guard receipt.status == gate.status else { continue }
        _ = try store.decide(
          gate: gateId, receipt.decision, reason: receipt.reason, actor: receipt.actor,
          requestId: receipt.requestId)
        return true
      }
      try store.expire(gate: gateId, reason: "nobody decided at the hub in time")
      return true
    } catch {
      // The hub may be away, or has not heard of the gate yet.
      return false
    }
  }

  private struct DecisionBody: Encodable {
    var decision: Decision
    var reason: String?
    var requestId: String
  }

  /// Tells the hub what was decided here; what came from there is the same request, and changes nothing.
  private func tell(_ gate: ApprovalGate) async {
    guard
      let receipt = try? store.decisions(atGate: gate.gateId)
        .first(where: { $0.status == gate.status }),
      let body = try? HubPeer.json(
        DecisionBody(
          decision: receipt.decision, reason: receipt.reason, requestId: receipt.requestId))
    else { return }
    // A hub that is away keeps the gate until somebody decides it there, for nobody.
    _ = try? await peer.send(
      "POST", "/v1/approval-gates/\(gate.gateId.percentEncoded)/decision", body: body)
  }
}
