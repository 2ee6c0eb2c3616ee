import Core

/// The state of a skill or tool.
struct WatchedSkill: WatchedDocument {
  static let kind = "skill"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedSkill>> { \.skills }

  var id: String
  var window = CallWindow()
  var updatedAt: Int64

  init(id: String, updatedAt: Int64) {
    self.id = id
    self.updatedAt = updatedAt
  }

  /// The minimum number of calls from which an error rate is computed.
  ///
  /// A few failures are not a spike.
  static let fewestCalls = 5

  /// Returns the error rate of the last ten minutes; nil if there were too few calls.
  func recentErrorRate(at now: Int64) -> Double? {
    let recent = window.sum(minutes: 10, at: now)
    return recent.calls >= Self.fewestCalls ? recent.errorRate : nil
  }

  /// Returns `true` if the recent error rate reaches the threshold.
  ///
  /// It must also be more than twice the rate of the last day.
  func isSpiking(at now: Int64, threshold: Double) -> Bool {
    guard let rate = recentErrorRate(at: now), rate >= threshold, rate > 0 else { return false }
    let recent = window.sum(minutes: 10, at: now)
    let day = window.day(at: now)
    let calls = max(0, day.calls - recent.calls)
    let failures = max(0, day.failures - recent.failures)
    return calls == 0 || rate > 2 * Double(failures) / Double(calls)
  }

  /// Returns the skill's results in the given time window as a record.
  func record(
    _ span: SkillHealth.Window, _ thresholds: Thresholds, at now: Int64
  ) -> SkillHealth {
    let sum = span == .hour ? window.sum(minutes: 60, at: now) : window.day(at: now)
    let rate = sum.errorRate
    return SkillHealth(
      skillId: id, name: id, window: span, calls: sum.calls,
      successRate: rate.map { 1 - $0 }, errorRate: rate, p95LatencyMs: sum.latency(quantile: 0.95),
      isSpiking: isSpiking(at: now, threshold: thresholds.value(.skillFailure, id)),
      updatedAt: Timestamp(updatedAt))
  }
}

/// A call of a skill or tool.
///
/// The call stays stored for a time, because the other event of its span, or a duplicate, may still
/// arrive.
struct WatchedCall: WatchedDocument {
  static let kind = "call"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedCall>> { \.calls }

  /// The ID of the agent, followed by the ID of the span.
  var id: String
  var skillId: String
  var startedAt: Int64?
  var endedAt: Int64?
  /// `true` if the call's latency is known.
  var isTimed = false
  var updatedAt: Int64
}
