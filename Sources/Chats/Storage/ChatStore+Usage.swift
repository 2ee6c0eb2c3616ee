public import Core

extension ChatStore {
  /// What answers used, added up: by day the oldest first, else where most was used first.
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
    try read { tables in
      var sums = UsageSums(by: aspect)
      sums.add(watched ?? [])
      for spending in try tables.spending(sinceDayOf: since)
      where watched == nil || !spending.isPlan {
        sums.add(
          spending.key(aspect), calls: 1, spending.usage ?? Usage(), costUSD: spending.costUSD)
      }
      var records = sums.records
      if aspect == .project {
        for index in records.indices {
          records[index].name = try tables.project(records[index].key)?.name
        }
      }
      return records
    }
  }
}

extension ChatSpending {
  fileprivate var isPlan: Bool { tool == Self.tool(isPlanning: true) }

  fileprivate func key(_ aspect: UsageSum.Aspect) -> String {
    switch aspect {
    case .day: String(createdAt.iso8601.prefix(10))
    case .model: model ?? ""
    case .project: projectId ?? ""
    case .tool: tool ?? ""
    case .swarm: ""
    }
  }
}
