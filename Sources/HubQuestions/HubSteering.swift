public import Core
import Foundation
import HTTP
public import HubClient
import HubWords
public import Requests
public import Watching

/// What is asked of agents, decided and changed by way of a hub; each request acts once.
///
/// It waits for the network, so it must not be used on a thread of Swift's pool.
public struct HubSteering: Steerer {
  let peer: HubPeer
  let interruption: Interruption
  let say: Note

  /// Steers by way of a hub.
  ///
  /// - Parameters:
  ///   - peer: The hub.
  ///   - interruption: Ends a wait.
  ///   - note: Is told that the hub cannot be asked for a while.
  public init(_ peer: HubPeer, interruption: Interruption, note: @escaping Note) {
    (self.peer, self.interruption, say) = (peer, interruption, note)
  }

  // MARK: Agents

  /// Asks agents for something, and waits for the effect.
  ///
  /// - Parameters:
  ///   - request: What is asked; the hub knows who asks.
  ///   - seconds: How long to wait at most.
  /// - Returns: What came of it.
  /// - Throws: The hub's failure, as `Controls.ask`; what asking throws.
  public func ask(
    _ request: ControlRequest, waiting seconds: Double
  ) throws(Failure) -> ControlReceipt {
    let path = "/v1/\(request.target.rawValue)s/\(request.id.percentEncoded)/control"
    var receipt: ControlReceipt = try record(
      "POST", path,
      ControlBody(
        action: request.action, reason: request.reason, requestId: request.requestId))
    let end = ContinuousClock.now + .seconds(seconds)
    var backoff = Backoff(first: 0.02, longest: 0.32)
    while receipt.outcome == .accepted, ContinuousClock.now < end {
      var nothing: [pollfd] = []
      backoff.grow()
      try interruption.wait(for: &nothing, within: Int32(backoff.seconds * 1000))
      let now: ControlReceipt = try reply(
        "GET", "/v1/controls/\(request.requestId.percentEncoded)"
      ).record()
      receipt.outcome = now.outcome
    }
    return receipt
  }

  /// Looks whether there is somebody to ask, before a person is.
  ///
  /// - Throws: `NotFound`; what asking throws.
  public func find(_ target: ControlTarget, _ id: String) throws(Failure) {
    _ = try reply("GET", "/v1/\(target.rawValue)s/\(id.percentEncoded)")
  }

  /// Keeps nothing: a hub hears of nothing that was not confirmed.
  public func note(_ request: ControlRequest, refused failure: Failure) {}

  // MARK: What is watched

  /// Sets a threshold, for one id or for all others.
  ///
  /// - Throws: The hub's failure; what asking throws.
  public func set(
    _ kind: Threshold.Kind, for id: String?, to value: Double, by request: Steering.Request
  ) throws(Failure) -> Threshold {
    try record(
      "PUT", "/v1/thresholds/\(kind.rawValue)/\((id ?? "all").percentEncoded)",
      ThresholdBody(value: value, reason: request.reason, requestId: request.id))
  }

  /// Closes an incident.
  ///
  /// - Throws: The hub's failure; what asking throws.
  public func close(
    incident id: String, by request: Steering.Request
  ) throws(Failure) -> Incident {
    try record(
      "POST", "/v1/incidents/\(id.percentEncoded)/close",
      ReasonBody(reason: request.reason, requestId: request.id))
  }

  /// Opens a closed incident again.
  ///
  /// - Throws: The hub's failure; what asking throws.
  public func reopen(
    incident id: String, by request: Steering.Request
  ) throws(Failure) -> Incident {
    try record(
      "POST", "/v1/incidents/\(id.percentEncoded)/reopen",
      ReasonBody(reason: request.reason, requestId: request.id))
  }

  // MARK: Asking

  func record<Record: StreamRecord>(
    _ method: String, _ path: String, _ body: some HubWord
  ) throws(Failure) -> Record {
    try reply(method, path, body).record()
  }

  func reply(_ method: String, _ path: String) throws(Failure) -> HubReply {
    try HubReply(try sent(method, path, nil).get(), of: peer.hub.url)
  }

  private func reply(
    _ method: String, _ path: String, _ body: some HubWord
  ) throws(Failure) -> HubReply {
    try HubReply(try send(method, path, body).get(), of: peer.hub.url)
  }

  /// Sends a request that acts once, however often it is sent: where its answer is lost, it is sent
  /// again.
  func send(
    _ method: String, _ path: String, _ body: some HubWord
  ) throws(Failure) -> HubOutcome {
    let body = try body.body()
    do throws(Failure) {
      return try sent(method, path, body)
    } catch {
      guard let delay = RetryPolicy().delay(after: error, tries: 1, jitter: 0),
        error.kind == .reset || error.code == .timeout
      else { throw error }
      var nothing: [pollfd] = []
      try interruption.wait(for: &nothing, within: Int32(delay * 1000))
      return try sent(method, path, body)
    }
  }

  private func sent(
    _ method: String, _ path: String, _ body: [UInt8]?
  ) throws(Failure) -> HubOutcome {
    let peer = peer
    return try Waiting.run(interruption) { () async throws(Failure) in
      try await peer.outcome(method, path, body: body)
    }
  }
}
