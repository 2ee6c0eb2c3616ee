import Asking
public import Core

extension ChatStore {
  /// What answers used, added up: by day the oldest first, else where most was used first.
  ///
  /// All requests for one answer are one call. An answer counts though it was removed or never kept;
  /// a request that never ended has an unknown cost.
  ///
  /// - Parameters:
  ///   - aspect: What it is added up by: a day of UTC, a model, a tool or a project. Chats have no
  ///     swarms.
  ///   - since: Only from the day of this instant on.
  ///   - watched: Sums of what the event log tells, by the same aspect. They are counted in, and
  ///     plans are not: the log tells of these.
  /// - Returns: The sums.
  /// - Throws: `StorageFailed`.
  public func usage(
    by aspect: UsageSum.Aspect, since: Timestamp? = nil, beside watched: [UsageSum]? = nil
  ) throws(Failure) -> [UsageSum] {
    var sums = UsageSums(by: aspect)
    sums.add(watched ?? [])
    let calls = try self.calls(sinceDayOf: since).filter {
      watched == nil || $0.owner.tool != Call.Owner.planner
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
        case .swarm: ""
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
