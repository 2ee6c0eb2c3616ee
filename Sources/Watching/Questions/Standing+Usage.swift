public import Core

extension Standing {
  /// What calls of models used, added up: by day the oldest first, else where most was used first.
  ///
  /// - Parameters:
  ///   - aspect: What it is added up by: a day of UTC, a model or a swarm. Nobody tells of projects.
  ///   - since: Only from the day of this instant on.
  /// - Returns: The sums.
  /// - Throws: `StorageFailed`.
  public func usage(
    by aspect: UsageSum.Aspect, since: Timestamp? = nil
  ) throws(Failure) -> [UsageSum] {
    let first = since.map { WatchedUsage.day($0.milliseconds) } ?? ""
    let start = Timestamp(iso8601: first + "T00:00:00.000Z")?.milliseconds ?? .min
    return try watched.read { (state) throws(Failure) in
      var sums: [String: UsageTotal] = [:]
      for used in try state.documents(WatchedUsage.self, .changed(since: start))
      where used.day >= first {
        sums[used.key(aspect), default: UsageTotal()].add(used, aspect)
      }
      var records = sums.map { key, sum in sum.record(aspect, key) }
      if aspect == .swarm {
        for index in records.indices {
          records[index].name = try state.document(WatchedSwarm.self, records[index].key)?.name
        }
      }
      return records.sorted {
        aspect == .day
          ? $0.key < $1.key : ($1.tokens, $0.key) < ($0.tokens, $1.key)
      }
    }
  }
}

/// A sum in the making.
private struct UsageTotal {
  var calls = 0
  var usage = Usage()
  var costUSD = 0.0
  var isPriced = true

  mutating func add(_ used: WatchedUsage, _ aspect: UsageSum.Aspect) {
    calls += used.calls
    usage = usage + used.usage
    costUSD += used.costUSD
    // Money that is told of several models is none of these.
    if used.unpriced > 0 || aspect == .model && used.shared > 0 { isPriced = false }
  }

  func record(_ aspect: UsageSum.Aspect, _ key: String) -> UsageSum {
    UsageSum(by: aspect, key: key).with {
      $0.calls = calls
      $0.inputTokens = usage.inputTokens
      $0.outputTokens = usage.outputTokens
      $0.cacheReadTokens = usage.cacheReadTokens
      $0.cacheWriteTokens = usage.cacheWriteTokens
      // Binary sums end in noise that is no money.
      $0.costUSD = isPriced ? (costUSD * 1e9).rounded() / 1e9 : nil
    }
  }
}

extension WatchedUsage {
  fileprivate func key(_ aspect: UsageSum.Aspect) -> String {
    switch aspect {
    case .day: day
    case .model: model
    case .swarm: swarm
    case .project: ""
    }
  }
}

extension UsageSum {
  fileprivate var tokens: Int {
    Usage(inputTokens: inputTokens, outputTokens: outputTokens).totalTokens
  }
}
