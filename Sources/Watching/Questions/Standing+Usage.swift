public import Core

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
    return try watched.read { (state) throws(Failure) in
      var sums = UsageSums(by: aspect)
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
