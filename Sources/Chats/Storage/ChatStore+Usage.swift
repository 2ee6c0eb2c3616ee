import Asking
public import Core
import Sessions

extension ChatStore {
  /// Returns the usage of all answers, grouped by the given aspect.
  ///
  /// Days are in order; other groups begin with the largest sum. All requests for an answer count
  /// as one call. Answers count even if they were deleted or never stored, but not if no request
  /// was sent for them. A request that never ended has an unknown cost.
  ///
  /// - Parameters:
  ///   - aspect: The aspect of the groups: day in UTC, model, tool or project. Chats have no
  ///     swarms or sessions.
  ///   - since: A time on the first day that is included; nil for all days.
  ///   - watched: Sums from the event log by the same aspect, to be added. Plans and
  ///     imported sessions are then omitted, because the log includes them.
  /// - Returns: The sums.
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func usage(
    by aspect: UsageSum.Aspect, since: Timestamp? = nil, beside watched: [UsageSum]? = nil
  ) throws(Failure) -> [UsageSum] {
    var sums = UsageSums(by: aspect)
    sums.add(watched ?? [])
    let calls = try self.calls(sinceDayOf: since).filter {
      $0.isUnsent != true
        && (watched == nil || $0.owner.tool != Call.Owner.planner && !$0.isImported)
    }
    for calls in Dictionary(grouping: calls, by: \.owner.answerId).values {
      guard let first = calls.first, let last = calls.last else { continue }
      let spending = calls.reduce(into: Spending()) { $0.add($1) }
      let key =
        switch aspect {
        case .day: String(first.startedAt.iso8601.prefix(10))
        case .model: last.model
        case .project: last.owner.projectId ?? ""
        case .tool: last.owner.tool ?? ""
        case .swarm, .session: ""
        }
      sums.add(key, calls: 1, spending.usage, costUSD: spending.costUSD)
    }
    var records = sums.records
    guard aspect == .project else { return records }
    try read { tables in
      for index in records.indices {
        records[index].name = try tables.project(records[index].key)?.name
      }
    }
    return records
  }
}

extension Call {
  /// `true` if the call was imported with the session of another agent.
  fileprivate var isImported: Bool { owner.tool.flatMap(SessionAgent.init) != nil }
}
