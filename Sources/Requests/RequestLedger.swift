package import Core
package import Storage

/// The rule that a repeated request has no second effect.
///
/// The repeated request receives the same answer as the first. Every request is recorded in the
/// audit log.
package struct RequestLedger {
  /// The answer to a request, with the outcome that the audit log records.
  package struct Answer<Value> {
    package var result: Result<Value, Failure>
    package var outcome: String

    /// Returns the answer to a request that succeeded, either now or earlier.
    package static func done(_ value: Value, _ outcome: String) -> Answer {
      Answer(result: .success(value), outcome: outcome)
    }

    /// Returns the answer to a request that failed.
    package static func failed(_ failure: Failure) -> Answer {
      Answer(result: .failure(failure), outcome: failure.code.rawValue)
    }
  }

  private let limits: ActionLimits?
  private let now: Timestamp

  /// Creates a ledger for requests that arrive at the given time.
  ///
  /// - Parameters:
  ///   - limits: The rate limits; nil for no limits.
  ///   - now: The current time.
  package init(limits: ActionLimits?, at now: Timestamp) {
    self.limits = limits
    self.now = now
  }

  /// Answers the given request and records its outcome in the audit log, even if it is refused.
  ///
  /// - Parameters:
  ///   - request: The request's audit entry, still without an outcome.
  ///   - isSame: `true` if an earlier request with the same id has the same content; `false` if it
  ///     has other content; nil if there is no earlier request.
  ///   - rows: The store, in a transaction.
  ///   - act: A function that carries out the request, or looks up the result of the earlier
  ///     request.
  /// - Returns: The result of `act`. It is the failure `Conflict` if the earlier request has other
  ///   content, or `RateLimited` if the requester exceeds a rate limit.
  /// - Throws: `StorageFailed` if the store cannot be used; otherwise the failure that `act`
  ///   throws.
  package func answer<Value>(
    _ request: AuditEntry, isSame: Bool?, in rows: any Rows,
    act: () throws(Failure) -> Answer<Value>
  ) throws(Failure) -> Result<Value, Failure> {
    let answer: Answer<Value>
    if isSame == false {
      answer = .failed(
        Failure(
          .conflict, "request id '\(request.requestId)' was already used for another request",
          input: request.requestId))
    } else if isSame == nil, let limits,
      let refusal = try rows.refusal(of: request, limits, at: now)
    {
      answer = .failed(refusal)
    } else {
      answer = try act()
    }
    var entry = request
    entry.outcome = answer.outcome
    entry.replayed = isSame ?? false
    try rows.record(entry)
    return answer.result
  }
}
