public import Core

/// One request to a model, and what it used; kept so that money is counted whatever happens.
public struct Call: Codable, Sendable, Hashable {
  /// The work that a request is made for: a stage, a plan, or an answer in a chat.
  public struct Owner: Codable, Sendable, Hashable {
    /// The tool that asks; nil if an older version did not keep it.
    public var tool: String?
    /// The pipeline; nil for chats.
    public var pipelineId: String?
    /// The stage; nil for planning and for chats.
    public var stageId: String?
    /// The message that holds the answer in a chat, or the reply to a goal; nil for stages.
    public var answerId: String?
    /// The project of the chat.
    public var projectId: String?

    /// Names the work.
    public init(
      tool: String?, pipelineId: String? = nil, stageId: String? = nil, answerId: String? = nil,
      projectId: String? = nil
    ) {
      (self.tool, self.pipelineId, self.stageId) = (tool, pipelineId, stageId)
      (self.answerId, self.projectId) = (answerId, projectId)
    }

    /// The tool whose calls events report, too.
    package static let planner = "ceo-plan"
    /// The tool that runs stages.
    package static let runner = "stage-run"
    /// The tool that asks in chats, also where a hub asks in its place.
    package static let chats = "chat-send"
  }

  /// The end of a request.
  public enum Outcome: String, Codable, Sendable {
    /// Not yet, or the process died before it could tell.
    case running
    /// The whole answer arrived.
    case complete
    /// It was refused, cut or interrupted; it may have used tokens all the same.
    case failed
  }

  /// A UUIDv7.
  public var id: String
  /// The work that it was made for.
  public var owner: Owner
  /// The model asked.
  public var model: String
  /// The end of the request.
  public var outcome: Outcome
  /// The instant at which it was sent.
  public var startedAt: Timestamp
  /// The instant at which it ended.
  public var finishedAt: Timestamp?
  /// The tokens it used, as the peer counted them at its end; nil when it did not.
  public var usage: Usage?
  /// Their cost in US dollars; nil if it cannot be known.
  public var costUSD: Double?
  /// The tokens it may use at most.
  public var estimatedTokens: Int
  /// The cost of these in US dollars.
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

  /// The call as one that was never sent: it used nothing.
  package var unsent: Call {
    var call = self
    call.end(.failed, Usage(), 0)
    return call
  }

  /// Notes how the call ended.
  package mutating func end(_ outcome: Outcome, _ usage: Usage?, _ costUSD: Double?) {
    finishedAt = .now
    (self.outcome, self.usage, self.costUSD) = (outcome, usage, costUSD)
  }
}
