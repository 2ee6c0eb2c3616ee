public import Core
import Storage

extension Standing {
  /// Returns the total usage of model calls for each value of the given aspect.
  ///
  /// Days are sorted with the oldest first, other values with the greatest usage first.
  ///
  /// - Parameters:
  ///   - aspect: The aspect by which calls are grouped: day in UTC, model, tool, swarm, session or
  ///     run. Events contain no projects.
  ///   - since: A time on the first day that is counted; nil for all days.
  /// - Returns: The totals.
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func usage(
    by aspect: UsageSum.Aspect, since: Timestamp? = nil
  ) throws(Failure) -> [UsageSum] {
    let first = since.map { WatchedUsage.day($0.milliseconds) } ?? ""
    let start = Timestamp(iso8601: first + "T00:00:00.000Z")?.milliseconds ?? .min
    let open = try watched.store.openCalls(since: start)
    return try watched.read { (state) throws(Failure) in
      var sums = UsageSums(by: aspect)
      for call in open { sums.add(call.key(aspect), calls: 1, Usage(), costUSD: nil) }
      if aspect == .session { return try Self.add(to: sums, state, since: (first, start)) }
      if aspect == .run { return try Self.runs(sums, state, since: (first, start)) }
      for used in try state.documents(WatchedUsage.self, .changed(since: start))
      where used.day >= first && !used.isEmpty {
        let unknown = used.unknown(aspect)
        sums.add(
          used.key(aspect), calls: used.calls, used.usage,
          costUSD: unknown > 0 ? nil : used.costUSD, known: used.costUSD, unknown: unknown)
      }
      var records = sums.records
      if aspect == .swarm {
        for index in records.indices {
          let swarm = try state.document(WatchedSwarm.self, records[index].key)
          records[index].name =
            try swarm.map { (swarm) throws(Failure) in
              try state.withName(swarm).name
            } ?? nil
        }
      }
      return records
    }
  }

  /// Returns the given sums and the usage of each session.
  private static func add(
    to sums: UsageSums, _ state: WatchedState, since: (day: String, instant: Int64)
  ) throws(Failure) -> [UsageSum] {
    var (sums, names) = (sums, [String: String]())
    for spending in try state.documents(WatchedSpending.self, .changed(since: since.instant)) {
      let total = spending.total(since: since.day)
      guard total != WatchedSpending.Part() else { continue }
      sums.add(spending.id, total)
      if spending.agentId != spending.id { names[spending.id] = spending.agentId }
    }
    var records = sums.records
    for index in records.indices { records[index].name = names[records[index].key] }
    return records
  }

  /// Returns the given sums and the usage of each run: of a plan by the pipeline's id, of others by
  /// the agent's id.
  private static func runs(
    _ sums: UsageSums, _ state: WatchedState, since: (day: String, instant: Int64)
  ) throws(Failure) -> [UsageSum] {
    var sums = sums
    var others = WatchedSpending.Part()
    for used in try state.documents(WatchedUsage.self, .changed(since: since.instant))
    where used.day >= since.day {
      if used.isOfPlan { sums.add(used.swarm, used.part) } else { others.add(used.part) }
    }
    for spending in try state.documents(WatchedSpending.self, .changed(since: since.instant)) {
      let total = spending.total(since: since.day) { !WatchedUsage.isOfPlan(id: $0) }
      guard total != WatchedSpending.Part() else { continue }
      sums.add(spending.agentId, total)
      others.remove(total)
    }
    if others.calls > 0 || others.usage.totalTokens > 0 { sums.add("", others) }
    return sums.records
  }

  /// Returns the sessions whose calls the log contains, each with the first day that it counts.
  ///
  /// The day is empty if all calls of the session count, under the id of its run.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func countedSessions() throws(Failure) -> [String: String] {
    try watched.read { (state) throws(Failure) in
      var sessions: [String: String] = [:]
      for spending in try state.documents(WatchedSpending.self) where spending.source != nil {
        sessions[spending.id] = String(spending.parts.keys.min()?.prefix(10) ?? "")
      }
      return sessions
    }
  }
}

extension UsageSums {
  fileprivate mutating func add(_ key: String, _ part: WatchedSpending.Part) {
    add(
      key, calls: part.calls, part.usage, costUSD: part.knownCost, known: part.costUSD,
      unknown: part.unpriced)
  }
}

/// A model call that has no event yet but may be billed.
///
/// It is in flight, or its process was killed.
private struct OpenCall {
  let model: String
  let startedAt: Int64
  let pipelineId: String?
  let stageId: String?

  init(_ row: any RecordRow) throws(Failure) {
    (model, startedAt) = (try row["model"], try row["startedAt"])
    (pipelineId, stageId) = (try row["pipelineId"], try row["stageId"])
  }

  func key(_ aspect: UsageSum.Aspect) -> String {
    switch aspect {
    case .day: WatchedUsage.day(startedAt)
    case .model: model
    case .swarm: pipelineId ?? ""
    case .tool: stageId == nil ? "ceo-plan" : "stage-run"
    case .run: pipelineId ?? ""
    case .project, .session: ""
    }
  }
}

extension Store {
  /// Returns the open calls of plans and stages since the given instant.
  ///
  /// Calls of chats are not included, because they are encrypted.
  fileprivate func openCalls(since start: Int64) throws(Failure) -> [OpenCall] {
    try base.read { rows in
      try rows.all(
        // A free call has no estimated cost.
        """
        SELECT model, startedAt, pipelineId, stageId FROM call
        WHERE outcome = 'running' AND estimatedTokens > 0 AND startedAt >= ?
        """, [start], OpenCall.init)
    }
  }
}

extension WatchedUsage {
  fileprivate func key(_ aspect: UsageSum.Aspect) -> String {
    switch aspect {
    case .day: day
    case .model: model
    case .swarm: swarm
    case .tool: tool ?? ""
    case .project, .session, .run: ""
    }
  }

  /// `true` if nothing is counted any more.
  fileprivate var isEmpty: Bool { part == WatchedSpending.Part() }

  /// Returns the number of calls whose cost is unknown in sums of the given aspect.
  fileprivate func unknown(_ aspect: UsageSum.Aspect) -> Int {
    // A cost that covers several models cannot be split among them.
    unpriced + (aspect == .model ? shared : 0)
  }

  /// The usage without its day, model and tool.
  fileprivate var part: WatchedSpending.Part {
    WatchedSpending.Part(calls: calls, usage: usage, costUSD: costUSD, unpriced: unpriced)
  }
}
