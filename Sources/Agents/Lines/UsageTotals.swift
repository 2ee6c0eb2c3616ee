import CodingAgents
import Core
import Events

/// The total tokens and cost of a run so far.
///
/// Agents repeatedly report the total of a session. Model calls after the last report are added to
/// that total.
struct UsageTotals {
  private struct Session {
    var usage = Usage()
    var costUSD: Double?
  }

  /// The total of all sessions that have ended or were restarted.
  private var settled = Session()
  private var sessions: [String: Session] = [:]
  private var calls = Session()
  private var isKnown = false
  /// `true` if the cost of a part of the calls is unknown.
  private var hasUnknownCost = false
  private static let maximumSessions = 1000

  /// Adds a model call that no reported total includes yet; `costUSD` is nil if it reports none.
  mutating func add(_ usage: Usage, costUSD: Double? = nil) {
    isKnown = true
    calls.usage = calls.usage + usage
    calls.costUSD = Self.sum(calls.costUSD, costUSD)
  }

  /// Records the total that the session with the given ID reports.
  ///
  /// If the cost is lower than before, the session was restarted.
  mutating func settle(_ id: String, _ usage: Usage?, costUSD: Double?) {
    let before = sessions[id]
    if let before, let old = before.costUSD, let costUSD, costUSD < old { close(before) }
    if before == nil, sessions.count >= Self.maximumSessions {
      for session in sessions.values { close(session) }
      sessions = [:]
    }
    sessions[id] = Session(usage: usage ?? calls.usage, costUSD: costUSD)
    calls = Session()
    isKnown = true
  }

  /// Records the sums of all calls since the last such report, whose cost may be unknown.
  ///
  /// They replace the calls that were added since then.
  mutating func settle(since sum: SessionTotal.Sum) {
    hasUnknownCost = hasUnknownCost || sum.costUSD == nil
    close(Session(usage: sum.usage, costUSD: sum.costUSD))
    calls = Session()
    isKnown = true
  }

  /// Records that the command starts again, so that later reports add to the earlier ones.
  ///
  /// Earlier versions of Claude Code report the total of one process, even if it resumes a session.
  mutating func restart() {
    for session in sessions.values { close(session) }
    close(calls)
    (sessions, calls) = ([:], Session())
  }

  private mutating func close(_ session: Session) {
    settled.usage = settled.usage + session.usage
    settled.costUSD = Self.sum(settled.costUSD, session.costUSD)
  }

  private static func sum(_ left: Double?, _ right: Double?) -> Double? {
    guard left != nil || right != nil else { return nil }
    return (left ?? 0) + (right ?? 0)
  }

  /// The total cost in US dollars; nil if no cost was reported yet, or if a part is unknown.
  var costUSD: Double? {
    guard !hasUnknownCost else { return nil }
    let told = Self.sum(settled.costUSD, calls.costUSD)
    return sessions.values.reduce(told) { Self.sum($0, $1.costUSD) }
  }

  /// The totals as attributes; empty if nothing was reported yet.
  var attributes: EventAttributes {
    guard isKnown else { return [:] }
    let usage = sessions.values.reduce(settled.usage + calls.usage) { $0 + $1.usage }
    var attributes = EventAttributes(usage)
    attributes[.costUSD] = costUSD.map(JSONValue.double)
    return attributes
  }
}
