/// The total token usage of the model calls that share a key, such as a day or a model.
public struct UsageSum: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "usage"

  /// The aspect by which the calls are grouped.
  public var by: Aspect
  /// The value of that aspect that the calls share: a day in UTC, a model, a tool, or the id of a
  /// swarm, session, run or project.
  ///
  /// It is empty if the calls have none.
  public var key: String
  /// The display name of the key; absent if it equals the key.
  public var name: String?
  /// The number of calls.
  public var calls = 0
  /// The input tokens, including those read from and written to a cache.
  public var inputTokens = 0
  /// The output tokens.
  public var outputTokens = 0
  /// The input tokens read from a cache.
  public var cacheReadTokens = 0
  /// The input tokens written to a cache.
  public var cacheWriteTokens = 0
  /// The cost in US dollars; absent if a part of it is unknown.
  public var costUSD: Double?
  /// The known part of the cost in US dollars; absent if the whole cost is known.
  public var knownCostUSD: Double?
  /// The number of calls whose cost is unknown, at least in part; absent if there are none.
  public var unknownCalls: Int?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case by, key, name, calls, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens
    case costUSD, knownCostUSD, unknownCalls, labels
  }

  /// An aspect by which usage is summed.
  public enum Aspect: String, Codable, Sendable, CaseIterable {
    case day, model, swarm, project, tool, session, run
  }

  /// The sum of input and output tokens.
  public var tokens: Int { Usage(inputTokens: inputTokens, outputTokens: outputTokens).totalTokens }

  /// Creates the record with all counts at zero.
  public init(by: Aspect, key: String) {
    self.by = by
    self.key = key
  }
}
