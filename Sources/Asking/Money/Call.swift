import Catalogue
public import Core

/// A request to a model, and the tokens it used.
///
/// It is stored so that every request is counted.
public struct Call: Codable, Sendable, Hashable {
  /// The work that caused a call: a stage, a plan, or an answer in a chat.
  public struct Owner: Codable, Sendable, Hashable {
    /// The tool that sends the request; nil if an older version stored the call.
    public var tool: String?
    /// The pipeline's id; nil for chats.
    public var pipelineId: String?
    /// The stage's id; nil for planning and for chats.
    public var stageId: String?
    /// The message id of the answer in a chat, or of the reply to a goal; nil for stages.
    public var answerId: String?
    /// The id of the chat's project.
    public var projectId: String?
    /// The id of the chat, or of the imported session; nil if an older version stored the call.
    public var sessionId: String?

    /// Creates the owner of a call.
    public init(
      tool: String?, pipelineId: String? = nil, stageId: String? = nil, answerId: String? = nil,
      projectId: String? = nil, sessionId: String? = nil
    ) {
      (self.tool, self.pipelineId, self.stageId) = (tool, pipelineId, stageId)
      (self.answerId, self.projectId, self.sessionId) = (answerId, projectId, sessionId)
    }

    /// The name of the tool that plans.
    ///
    /// Its calls are also reported as events.
    package static let planner = "ceo-plan"
    /// The name of the tool that runs stages.
    package static let runner = "stage-run"
    /// The name of the tool that sends prompts in chats.
    ///
    /// Calls that a hub makes for a chat have the same name.
    package static let chats = "chat-send"
  }

  /// The state of a request.
  public enum Outcome: String, Codable, Sendable {
    /// A request in flight, or one whose process died before it ended.
    case running
    /// A request with a complete answer.
    case complete
    /// A request that was refused, cut off or interrupted.
    ///
    /// It may have used tokens.
    case failed
  }

  /// The id of the call, a UUIDv7.
  public var id: String
  /// The work that caused the call.
  public var owner: Owner
  /// The model that was called.
  public var model: String
  /// The state of the request.
  public var outcome: Outcome
  /// The instant at which the request was sent.
  public var startedAt: Timestamp
  /// The instant at which the request ended.
  public var finishedAt: Timestamp?
  /// `true` if no request was sent for the call; nil if one was, or may have been.
  package private(set) var isUnsent: Bool?
  /// `true` if the price of the tokens is unknown, although the catalogue has one for the model.
  package var hasUnknownPrice: Bool?
  /// The tokens that the provider reported; nil if it reported none.
  public var usage: Usage?
  /// The cost of the tokens in US dollars; nil if unknown.
  public var costUSD: Double?
  /// The maximum number of tokens that the request may use, as estimated before it was sent.
  public var estimatedTokens: Int
  /// The cost of `estimatedTokens` in US dollars; nil if unknown.
  public var estimatedCostUSD: Double?

  /// Creates a running call, before it is sent.
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

  /// Creates a running call with the given output limit, before it is sent.
  package init(for owner: Owner, _ estimate: Estimate, output: Int) {
    self.init(
      for: owner, model: estimate.model, estimatedTokens: estimate.tokens(output: output),
      estimatedCostUSD: estimate.cost(output: output))
  }

  /// A copy of the call that counts as never sent.
  ///
  /// It has ended and used nothing.
  package var unsent: Call {
    var call = self
    call.end(.failed, Usage(), 0)
    call.isUnsent = true
    return call
  }

  /// Sets the cost at the catalogue's price of the given provider, if the tokens are known and the
  /// cost is not.
  ///
  /// A subscription is not billed by the call; the cost is then what the call would cost without.
  package mutating func price(of provider: String) {
    guard costUSD == nil, hasUnknownPrice != true, let usage else { return }
    let day = Day(startedAt)
    costUSD = Catalogue.builtIn.facts(provider, model, on: day).prices?.cost(of: usage, on: day)
  }

  /// Records the end of the call.
  package mutating func end(_ outcome: Outcome, _ usage: Usage?, _ costUSD: Double?) {
    finishedAt = .now
    (self.outcome, self.usage, self.costUSD) = (outcome, usage, costUSD)
  }
}
