public import Core

/// The outcome of a request to a model.
public struct ModelOutcome: Sendable {
  /// The complete answer; nil if there is a failure.
  public var answer: ModelAnswer?
  /// The failure; nil if there is an answer.
  public var failure: Failure?
  /// The reported tokens of all tries, including failed ones; nil if there were none.
  public var usage: Usage?
  /// The cost in US dollars; nil if unknown.
  public var costUSD: Double?
  /// The number of tries.
  public var tries: Int
  /// The account of the last try; nil if none was sent, or if it was delivered before a further try
  /// that was not sent.
  public var lastTry: ModelTry?

  /// The part of an incomplete last answer.
  public var partial = PartialAnswer()
  /// Milliseconds from the last request to the first piece of its answer.
  public var firstTokenMs: Double?
  /// Milliseconds from the first request to the end of the last one, including waits.
  public var totalMs: Double?

  /// The reason that there is no answer.
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
