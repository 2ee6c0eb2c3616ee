/// What calls of models used, added up by one thing.
public struct UsageSum: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "usage"

  /// What it is added up by.
  public var by: Aspect
  /// Which day, UTC, which model or tool, or the id of which swarm or project; empty for what has
  /// none.
  public var key: String
  /// What people call that; absent where it is the key.
  public var name: String?
  /// How many calls there were.
  public var calls = 0
  /// All tokens sent, those of a cache included.
  public var inputTokens = 0
  /// All tokens answered.
  public var outputTokens = 0
  /// Those of the input that a cache held.
  public var cacheReadTokens = 0
  /// Those of the input that were put into a cache.
  public var cacheWriteTokens = 0
  /// What it cost, in US dollars; absent where that is not known of a part of it.
  public var costUSD: Double?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case by, key, name, calls, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens
    case costUSD, labels
  }

  /// What may be added up by.
  public enum Aspect: String, Codable, Sendable, CaseIterable {
    case day, model, swarm, project, tool
  }

  /// Input and output together.
  public var tokens: Int { Usage(inputTokens: inputTokens, outputTokens: outputTokens).totalTokens }

  /// Creates the record, of no calls yet.
  public init(by: Aspect, key: String) {
    self.by = by
    self.key = key
  }
}
