public import Core
import Storage

extension Standing {
  /// What calls of models used, added up: by day the oldest first, else where most was used first.
  ///
  /// - Parameters:
  ///   - aspect: What it is added up by: a day of UTC, a model, a tool or a swarm. Nobody
  ///     tells of projects.
  ///   - since: Only from the day of this instant on.
  /// - Returns: The sums.
  /// - Throws: `StorageFailed`.
  public func usage(
    by aspect: UsageSum.Aspect, since: Timestamp? = nil
  ) throws(Failure) -> [UsageSum] {
    let first = since.map { WatchedUsage.day($0.milliseconds) } ?? ""
    let start = Timestamp(iso8601: first + "T00:00:00.000Z")?.milliseconds ?? .min
    let open = try watched.store.openCalls(since: start)
    return try watched.read { (state) throws(Failure) in
      var sums = UsageSums(by: aspect)
      for call in open { sums.add(call.key(aspect), calls: 1, Usage(), costUSD: nil) }
      for used in try state.documents(WatchedUsage.self, .changed(since: start))
      where used.day >= first {
        sums.add(used.key(aspect), calls: used.calls, used.usage, costUSD: used.cost(aspect))
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
}

/// A call of a model that may have been billed, and that no event tells of: it is in flight, or its
/// process was killed.
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
    case .project: ""
    }
  }
}

extension Store {
  /// The calls for plans and stages that are open, from an instant on; a chat's are sealed.
  fileprivate func openCalls(since start: Int64) throws(Failure) -> [OpenCall] {
    try base.read { rows in
      try rows.all(
        // What is free has no estimate.
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
    case .project: ""
    }
  }

  /// What it cost; nil where that is not known of all of it.
  fileprivate func cost(_ aspect: UsageSum.Aspect) -> Double? {
    // Money that is told of several models is none of these.
    unpriced > 0 || aspect == .model && shared > 0 ? nil : costUSD
  }
}
