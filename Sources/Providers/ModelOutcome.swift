public import Core

/// The outcome of a request to a model.
public struct ModelOutcome: Sendable {
  /// The complete answer; nil if there is a failure.
  public var answer: ModelAnswer?
  /// The failure; nil if there is an answer.
  public var failure: Failure?
  /// The sum of the reported tokens of all attempts, failed ones included; nil if none were
  /// reported.
  public var usage: Usage?
  /// The cost in US dollars; nil if unknown.
  public var costUSD: Double?
  /// The number of attempts.
  public var tries: Int
  /// The account of the last attempt.
  ///
  /// It is nil if no attempt was sent, or if `willSend` already received it.
  public var lastTry: ModelTry?

  /// The part of the last answer that was received, if that answer is incomplete.
  public var partial = PartialAnswer()
  /// Milliseconds from the last request to the first piece of its answer.
  public var firstTokenMs: Double?
  /// Milliseconds from the first request to the end of the last one, including waits.
  public var totalMs: Double?

  /// The failure that explains the missing answer.
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
