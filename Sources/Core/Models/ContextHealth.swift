/// How full a conversation's context is, and of how much that it has said before.
public struct ContextHealth: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "contextHealth"

  /// The conversation.
  public var sessionId: String
  /// Who has it.
  public var agentId: String
  /// The swarm it belongs to.
  public var swarmId: String?
  /// The model it was sent to last.
  public var model: String?
  /// Tokens of the last request and its answer.
  public var tokenUsage: Int
  /// How many fit; absent where that is not known.
  public var maxTokens: Int?
  /// Which part of its text repeats earlier text of it, from 0 to 1.
  public var redundancyScore: Double?
  /// What is the matter, a word each: `nearCapacity`, `redundancy`, `compacted`.
  public var warnings: [String]
  /// When it was told of last.
  public var updatedAt: Timestamp
  /// Where to read more.
  public var webUrl: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case sessionId, agentId, swarmId, model, tokenUsage, maxTokens, redundancyScore, warnings,
      updatedAt, webUrl, labels
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
