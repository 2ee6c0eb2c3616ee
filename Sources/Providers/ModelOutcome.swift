public import Core

/// How asking a model ended.
public struct ModelOutcome: Sendable {
  /// The whole answer; nil when there is a failure.
  public var answer: ModelAnswer?
  /// What went wrong; nil when there is an answer.
  public var failure: Failure?
  /// The tokens that were reported, of all tries and also of a failure; nil when none were.
  public var usage: Usage?
  /// What it cost in US dollars; nil when that cannot be known.
  public var costUSD: Double?
  /// How many requests were sent.
  public var tries: Int
  /// The account of the last request; nil when none was sent, or when it was handed on before a
  /// further one that was not sent.
  public var lastTry: ModelTry?

  /// What came of the last answer where it never got whole.
  public var partial = PartialAnswer()
  /// Milliseconds from the last request to the first piece of its answer.
  public var firstTokenMs: Double?
  /// Milliseconds from the first request to the end of the last one, waits among them.
  public var totalMs: Double?

  /// The reason for which there is no answer.
  public var reason: Failure { failure ?? Failure(.invalidResponse, "the model gave no answer") }

  /// Creates an outcome.
  public init(
    answer: ModelAnswer? = nil, failure: Failure? = nil, usage: Usage? = nil,
    costUSD: Double? = nil, tries: Int = 1
  ) {
    self.answer = answer
    self.failure = failure
    self.usage = usage
    self.costUSD = costUSD
    self.tries = tries
  }
}
