public import Core
import Requests

extension ChatStore {
  /// What answers used, added up: by day the oldest first, else where most was used first.
  ///
  /// - Parameter aspect: What it is added up by: a day of UTC, a model or a project. Chats have no
  ///   swarms.
  /// - Returns: The sums.
  /// - Throws: `StorageFailed`.
  public func usage(by aspect: UsageSum.Aspect) throws(Failure) -> [UsageSum] {
    try read { tables in
      var sums = UsageSums(by: aspect)
      for spending in try tables.spending() {
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
  fileprivate func key(_ aspect: UsageSum.Aspect) -> String {
    switch aspect {
    case .day: String(createdAt.iso8601.prefix(10))
    case .model: model ?? ""
    case .project: projectId ?? ""
    case .swarm: ""
    }
  }
}
