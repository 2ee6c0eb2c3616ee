import CodingAgents
import Core
import Events

/// The facts about a whole run that its output has reported so far.
struct RunReport {
  /// The tool calls to which one thing happened.
  private struct Calls {
    private(set) var ids: Set<String> = []
    private var unnamed = 0
    /// The maximum number of IDs that are stored.
    ///
    /// Further calls are counted as if they had no ID.
    private static let maximumIds = 1000

    mutating func add(_ id: String?) {
      guard let id, ids.contains(id) || ids.count < Self.maximumIds else { return unnamed += 1 }
      ids.insert(id)
    }

    /// Returns the number of calls that are not among the given ones.
    func count(without others: Calls = Calls()) -> Int {
      ids.count { !others.ids.contains($0) } + unnamed
    }
  }

  /// The tokens and the cost of all model calls.
  var totals = UsageTotals()
  private var denied = Calls()
  private var fewestDenials = 0
  private var failed = Calls()
  private(set) var limitReset: Timestamp?

  /// The sessions that the command itself has named.
  private(set) var sessions: Set<SessionKey> = []
  /// The maximum number of entries in ``sessions``.
  private static let maximumSessions = 100

  /// Records that the command names its session.
  mutating func name(_ agent: CodingAgent, _ id: String) {
    // A longer ID is no session's.
    guard 1...200 ~= id.utf8.count, sessions.count < Self.maximumSessions else { return }
    sessions.insert(SessionKey(agent, id))
  }

  /// The number of tool calls that were refused by a permission.
  var denials: Int { max(denied.count(), fewestDenials) }
  /// The number of tool calls that failed for another reason.
  var toolErrors: Int { failed.count(without: denied) }

  /// Records that a permission refused the call with the given ID.
  mutating func deny(_ id: String?) { denied.add(id) }

  /// Records that permissions refused at least the given number of calls, which have no IDs.
  mutating func deny(atLeast count: Int) { fewestDenials = max(fewestDenials, count) }

  /// Records that the call with the given ID failed.
  mutating func fail(_ id: String?) { failed.add(id) }

  /// Records that a usage limit stops the agent until the given time; nil if it does not stop it.
  mutating func limit(until reset: Timestamp?) { limitReset = reset }

  /// Forgets the refused and failed calls and the limit, because the command starts again.
  ///
  /// The totals stay.
  mutating func restart() {
    let totals = totals
    self = RunReport()
    self.totals = totals
  }
}

/// A fault that a run may have although its command ended with status 0.
public enum RunFault: String, Sendable, CaseIterable {
  /// A permission refused a tool call.
  case denials
  /// A tool call failed.
  case toolErrors = "tool-errors"
}

extension RunReport {
  /// Returns the failure that reports faults of the given kinds; nil if there are none.
  func failure(for faults: Set<RunFault>) -> Failure? {
    let found = RunFault.allCases.filter { faults.contains($0) && count($0) > 0 }
    guard let first = found.first else { return nil }
    let words = found.map { fault in
      let count = count(fault)
      return switch fault {
      case .denials: count == 1 ? "a permission was refused" : "\(count) permissions were refused"
      case .toolErrors: count == 1 ? "a tool call failed" : "\(count) tool calls failed"
      }
    }
    return Failure(
      .toolFailed, "the command ended with status 0, but " + words.joined(separator: " and "),
      kind: first == .denials ? .denials : .toolErrors)
  }

  private func count(_ fault: RunFault) -> Int {
    switch fault {
    case .denials: denials
    case .toolErrors: toolErrors
    }
  }
}

extension FailureKind {
  /// Tool calls that permissions refused.
  static let denials = Self(rawValue: "denials")
  /// Tool calls that failed.
  static let toolErrors = Self(rawValue: "toolErrors")
}
