public import Core
import Foundation
import HTTP
public import HubClient
import HubWords
public import Requests
public import Watching

/// A steerer that controls agents, decides gates and changes settings through a hub.
///
/// A request takes effect once, even if it is sent again. Requests wait for the network, so they
/// must not run on a thread of Swift's concurrency pool.
public struct HubSteering: Steerer {
  let hubs: HubGroup
  let interruption: Interruption
  let report: NoticeHandler

  /// Creates a steerer for the given hub.
  ///
  /// - Parameters:
  ///   - hubs: The hub or its group.
  ///   - interruption: The signal that ends waits.
  ///   - report: Receives a report while the hub is unreachable.
  public init(_ hubs: HubGroup, interruption: Interruption, report: @escaping NoticeHandler) {
    (self.hubs, self.interruption, self.report) = (hubs, interruption, report)
  }

  // MARK: Agents

  /// Sends a control to agents and waits for its outcome.
  ///
  /// - Parameters:
  ///   - request: The control. The hub itself determines who asks.
  ///   - seconds: The longest wait.
  /// - Returns: The receipt, with the outcome if it is known.
  /// - Throws: The failure that the hub reports, as `Controls.send`; the errors of the request.
  public func send(
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

  /// Checks that the target with the given id exists, before a person is asked to confirm.
  ///
  /// - Throws: `NotFound` if there is no such target; the errors of the request.
  public func find(_ target: ControlTarget, _ id: String) throws(Failure) {
    _ = try reply("GET", "/v1/\(target.rawValue)s/\(id.percentEncoded)")
  }

  /// Does nothing, because a hub does not record unconfirmed controls.
  public func record(_ request: ControlRequest, refused failure: Failure) {}

  // MARK: Thresholds and incidents

  /// Sets the threshold for the given id; nil for all ids without their own threshold.
  ///
  /// - Throws: The failure that the hub reports; the errors of the request.
  public func set(
    _ kind: Threshold.Kind, for id: String?, to value: Double, then action: Threshold.Action?,
    by request: Steering.Request
  ) throws(Failure) -> Threshold {
    try record(
      "PUT", "/v1/thresholds/\(kind.rawValue)/\((id ?? "all").percentEncoded)",
      ThresholdBody(
        value: value, then: action, reason: request.reason, requestId: request.id))
  }

  /// Closes the given incident.
  ///
  /// - Throws: The failure that the hub reports; the errors of the request.
  public func close(
    incident id: String, by request: Steering.Request
  ) throws(Failure) -> Incident {
    try record(
      "POST", "/v1/incidents/\(id.percentEncoded)/close",
      ReasonBody(reason: request.reason, requestId: request.id))
  }

  /// Reopens the given closed incident.
  ///
  /// - Throws: The failure that the hub reports; the errors of the request.
  public func reopen(
    incident id: String, by request: Steering.Request
  ) throws(Failure) -> Incident {
    try record(
      "POST", "/v1/incidents/\(id.percentEncoded)/reopen",
      ReasonBody(reason: request.reason, requestId: request.id))
  }

  // MARK: Requests

  private func record<Record: StreamRecord>(
    _ method: String, _ path: String, _ body: some HubWord
  ) throws(Failure) -> Record {
    try reply(method, path, body).record()
  }

  func reply(_ method: String, _ path: String) throws(Failure) -> HubReply {
    try HubReply(try sent(method, path, nil).get(), of: hubs.name)
  }

  private func reply(
    _ method: String, _ path: String, _ body: some HubWord
  ) throws(Failure) -> HubReply {
    try HubReply(try send(method, path, body).get(), of: hubs.name)
  }

  /// Sends a request that has an id.
  ///
  /// If the response is lost, the request is sent again. The hub acts on it only once.
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

  /// Sends a request once, to the first hub of the group that answers; see `HubGroup`.
  func sent(
    _ method: String, _ path: String, _ body: [UInt8]?
  ) throws(Failure) -> HubOutcome {
    let hubs = hubs
    return try Waiting.run(interruption) { () async throws(Failure) in
      try await hubs.outcome(method, path, body: body)
    }
  }
}
