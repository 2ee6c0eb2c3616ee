import Core
import Requests
import Storage

/// The pauses that thresholds require.
extension Watcher {
  /// The requester of these pauses.
  private static let actor = "threshold"
  /// The limits of these requests.
  ///
  /// Other limits are for people. A pause that a threshold requires must not wait for them.
  private static let limits: ActionLimits = {
    var limits = ActionLimits()
    limits.perMinute = 1_000_000
    return limits
  }()

  /// Pauses the swarm of the given alert.
  ///
  /// An agent that could not be reached is tried again as soon as it can be, and an agent that joins
  /// the swarm later is paused too, unless a person has resumed the swarm since. Each request has an
  /// ID of the alert, so it acts once, even if several processes send it.
  func pause(after entry: WatchedAlert, at now: Timestamp) throws(Failure) {
    let alert = entry.alert
    guard let swarm = alert.swarmId, let source = alert.srcId else { return }
    let id = "\(Self.actor)-\(SHA256Digest.hexadecimal(Array(source.utf8)).prefix(32))"
    let request = ControlRequest(
      requestId: id, target: .swarm, id: swarm, action: .pause, reason: alert.summary,
      actor: Self.actor)
    let store = watched.store
    // The action may have been set after the alert was raised.
    guard entry.isTold, try store.receipt(id) != nil else { return try submit(request, at: now) }
    for missed in try store.runners(ofSwarm: swarm, missedBy: id) {
      var request = request
      (request.target, request.id) = (.agent, missed.agentId)
      request.requestId = "\(id)-\(missed.mark)"
      try submit(request, at: now)
    }
  }

  private func submit(_ request: ControlRequest, at now: Timestamp) throws(Failure) {
    do throws(Failure) {
      _ = try watched.store.submit(request, standing: .running, limits: Self.limits, at: now)
    } catch {
      // The agents have ended, or a read-only store cannot be changed.
      guard error.code != .storageFailed || error.kind == .readOnly else { throw error }
    }
  }
}
