public import Core

/// A request to a model, and its use; it is stored so that every request is counted.
public struct Call: Codable, Sendable, Hashable {
  /// The work that a call is part of: a stage, a plan, or an answer in a chat.
  public struct Owner: Codable, Sendable, Hashable {
    /// The tool that sends the request; nil if stored by an older version.
    public var tool: String?
    /// The pipeline's id; nil for chats.
    public var pipelineId: String?
    /// The stage's id; nil for planning and for chats.
    public var stageId: String?
    /// The message id of the answer in a chat, or of the reply to a goal; nil for stages.
    public var answerId: String?
    /// The id of the chat's project.
    public var projectId: String?

    /// Creates the owner of a call.
    public init(
      tool: String?, pipelineId: String? = nil, stageId: String? = nil, answerId: String? = nil,
      projectId: String? = nil
    ) {
      (self.tool, self.pipelineId, self.stageId) = (tool, pipelineId, stageId)
      (self.answerId, self.projectId) = (answerId, projectId)
    }

    /// The tool that plans; events report its calls, too.
    package static let planner = "ceo-plan"
    /// The tool that runs stages.
    package static let runner = "stage-run"
    /// The tool that sends prompts in chats; its name is also used if a hub sends them.
    package static let chats = "chat-send"
  }

  /// The state of a request.
  public enum Outcome: String, Codable, Sendable {
    /// A request in flight, or a request whose process died.
    case running
    /// A request with a complete answer.
    case complete
    /// A request that was refused, cut off or interrupted, but may have used tokens.
    case failed
  }

  /// The identifier, a UUIDv7.
  public var id: String
  /// The work that the call is part of.
  public var owner: Owner
  /// The model that was called.
  public var model: String
  /// The state of the request.
  public var outcome: Outcome
  /// The instant at which the request was sent.
  public var startedAt: Timestamp
  /// The instant at which the request ended.
  public var finishedAt: Timestamp?
  /// The tokens that the provider reported; nil if it reported none.
  public var usage: Usage?
  /// The cost of the tokens in US dollars; nil if unknown.
  public var costUSD: Double?
  /// The maximum number of tokens that the request may use.
  public var estimatedTokens: Int
  /// The cost of that maximum in US dollars; nil if unknown.
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

  /// Creates a call that is about to be sent with the given output limit.
  package init(for owner: Owner, _ estimate: Estimate, output: Int) {
    self.init(
      for: owner, model: estimate.model, estimatedTokens: estimate.tokens(output: output),
      estimatedCostUSD: estimate.cost(output: output))
  }

  /// A copy of the call that counts as never sent: it has ended and used nothing.
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
