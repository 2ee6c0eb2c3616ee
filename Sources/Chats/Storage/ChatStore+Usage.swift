public import Core

extension ChatStore {
  /// What answers used, added up: by day the oldest first, else where most was used first.
  ///
  /// - Parameter aspect: What it is added up by: a day of UTC, a model or a project. Chats have no
  ///   swarms.
  /// - Returns: The sums.
  /// - Throws: `StorageFailed`.
  public func usage(by aspect: UsageSum.Aspect) throws(Failure) -> [UsageSum] {
    try read { tables in
      var sums: [String: SpendingSum] = [:]
      for spending in try tables.spending() {
        sums[spending.key(aspect), default: SpendingSum()].add(spending)
      }
      let records = try sums.map { key, sum in
        try sum.record(aspect, key).with {
          if aspect == .project { $0.name = try tables.project(key)?.name }
        }
      }
      return records.sorted {
        aspect == .day ? $0.key < $1.key : ($1.tokens, $0.key) < ($0.tokens, $1.key)
      }
    }
  }
}

/// A sum in the making.
private struct SpendingSum {
  var calls = 0
  var usage = Usage()
  /// Nil once a part of it is not known.
  var costUSD: Double? = 0

  mutating func add(_ spending: ChatSpending) {
    calls += 1
    usage = usage + (spending.usage ?? Usage())
    costUSD = costUSD.flatMap { sum in spending.costUSD.map { sum + $0 } }
  }

  func record(_ aspect: UsageSum.Aspect, _ key: String) -> UsageSum {
    UsageSum(by: aspect, key: key).with {
      $0.calls = calls
      $0.inputTokens = usage.inputTokens
      $0.outputTokens = usage.outputTokens
      $0.cacheReadTokens = usage.cacheReadTokens
      $0.cacheWriteTokens = usage.cacheWriteTokens
      // Binary sums end in noise that is no money.
      $0.costUSD = costUSD.map { ($0 * 1e9).rounded() / 1e9 }
    }
  }
}

extension ChatSpending {
  fileprivate func key(_ aspect: UsageSum.Aspect) -> String {
    switch aspect {
    case .day: String(createdAt.iso8601.prefix(10))
    case .model: model ?? ""
    case .project: projectId ?? ""
    case .swarm: ""
    }
  }
}

extension UsageSum {
  fileprivate var tokens: Int {
    Usage(inputTokens: inputTokens, outputTokens: outputTokens).totalTokens
  }
}
