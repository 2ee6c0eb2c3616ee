public import Core

/// The tokens of a model call, as a transcript reports them.
public struct SessionCall: Sendable, Hashable {
  /// The identity of the call, unique among all sessions of the agent.
  ///
  /// It consists of the provider's own ids, or else of the thread and its total.
  public var id: String
  /// The id of the answer.
  public var answer: String
  /// The model; nil if unknown.
  public var model: String?
  /// The tokens so far; input includes cached tokens, and output includes reasoning.
  public var usage: Usage
  /// The cost in US dollars, as the transcript states it; nil if it states none.
  public var costUSD: Double?

  /// Creates a call.
  public init(
    id: String, answer: String, model: String?, usage: Usage, costUSD: Double? = nil
  ) {
    (self.id, self.answer, self.model) = (id, answer, model)
    (self.usage, self.costUSD) = (usage, costUSD)
  }
}
