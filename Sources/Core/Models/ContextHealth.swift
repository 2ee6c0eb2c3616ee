/// The fill level and the redundancy of a conversation's context.
public struct ContextHealth: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "contextHealth"

  /// The id of the conversation.
  public var sessionId: String
  /// The id of the agent that holds the conversation.
  public var agentId: String
  /// The id of the agent's swarm.
  public var swarmId: String?
  /// The model of the last request.
  public var model: String?
  /// The number of tokens of the last request and its response.
  public var tokenUsage: Int
  /// The size of the context window in tokens; absent if unknown.
  public var maxTokens: Int?
  /// The number of tokens after each of the last 20 requests, the oldest first; absent if unknown.
  public var history: [Int]?
  /// The fraction of the text that repeats earlier text, from 0 to 1.
  public var redundancyScore: Double?
  /// The warnings that apply, from `nearCapacity`, `redundancy` and `compacted`.
  public var warnings: [String]
  /// The time of the agent's last report.
  public var updatedAt: Timestamp
  /// The URL of a page with details.
  public var webUrl: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case sessionId, agentId, swarmId, model, tokenUsage, maxTokens, history, redundancyScore,
      warnings, updatedAt, webUrl, labels
  }

  /// Creates the record.
  public init(
    sessionId: String, agentId: String, swarmId: String? = nil, model: String? = nil,
    tokenUsage: Int, maxTokens: Int? = nil, redundancyScore: Double? = nil, warnings: [String],
    updatedAt: Timestamp
  ) {
    self.sessionId = sessionId
    self.agentId = agentId
    self.swarmId = swarmId
    self.model = model
    self.tokenUsage = tokenUsage
    self.maxTokens = maxTokens
    self.redundancyScore = redundancyScore
    self.warnings = warnings
    self.updatedAt = updatedAt
  }
}
