public import Core

/// A request to a model and its use; stored so that every request is counted.
public struct Call: Codable, Sendable, Hashable {
  /// The work that a request is made for: a stage, a plan, or an answer in a chat.
  public struct Owner: Codable, Sendable, Hashable {
    /// The tool that sends the request; nil if stored by an older version.
    public var tool: String?
    /// The pipeline; nil for chats.
    public var pipelineId: String?
    /// The stage; nil for planning and for chats.
    public var stageId: String?
    /// The answer's message in a chat, or the reply to a goal; nil for stages.
    public var answerId: String?
    /// The project of the chat.
    public var projectId: String?

    /// Creates the owner of a call.
    public init(
      tool: String?, pipelineId: String? = nil, stageId: String? = nil, answerId: String? = nil,
      projectId: String? = nil
    ) {
      (self.tool, self.pipelineId, self.stageId) = (tool, pipelineId, stageId)
      (self.answerId, self.projectId) = (answerId, projectId)
    }

    /// The planning tool; events report its calls, too.
    package static let planner = "ceo-plan"
    /// The tool that runs stages.
    package static let runner = "stage-run"
    /// The chat tool, also when a hub sends the requests in its place.
    package static let chats = "chat-send"
  }

  /// The state of a request.
  public enum Outcome: String, Codable, Sendable {
    /// A request in flight, or one whose process died.
    case running
    /// A request with a complete answer.
    case complete
    /// A request that was refused, cut off or interrupted, but may have used tokens.
    case failed
  }

  /// The identifier, a UUIDv7.
  public var id: String
  /// The work that the request was made for.
  public var owner: Owner
  /// The model that was called.
  public var model: String
  /// The state of the request.
  public var outcome: Outcome
  /// The instant at which it was sent.
  public var startedAt: Timestamp
  /// The instant at which it ended.
  public var finishedAt: Timestamp?
  /// The tokens used, as reported by the peer; nil if it reported none.
  public var usage: Usage?
  /// The cost of the tokens in US dollars; nil if unknown.
  public var costUSD: Double?
  /// The maximum number of tokens.
  public var estimatedTokens: Int
  /// The cost of the maximum in US dollars; nil if unknown.
  public var estimatedCostUSD: Double?

  /// Creates a call that is about to be sent.
  public init(
    for owner: Owner, model: String, estimatedTokens: Int, estimatedCostUSD: Double?
  ) {
    self.id = Identifier.make()
    self.owner = owner
    self.model = model
    self.outcome = .running
    self.startedAt = .now
    self.estimatedTokens = estimatedTokens
    self.estimatedCostUSD = estimatedCostUSD
  }

  /// Creates a call that is about to be sent, with an output limit.
  package init(for owner: Owner, _ estimate: Estimate, output: Int) {
    self.init(
      for: owner, model: estimate.model, estimatedTokens: estimate.tokens(output: output),
      estimatedCostUSD: estimate.cost(output: output))
  }

  /// A copy of the call that counts as never sent and used nothing.
  package var unsent: Call {
    var call = self
    call.end(.failed, Usage(), 0)
    return call
  }

  /// Records the end of the call.
  package mutating func end(_ outcome: Outcome, _ usage: Usage?, _ costUSD: Double?) {
    finishedAt = .now
    (self.outcome, self.usage, self.costUSD) = (outcome, usage, costUSD)
  }
}
