package import Core
package import Storage

/// The rule that a request acts once: a repeated request receives the same answer, and each is
/// recorded in the audit log.
package struct RequestLedger {
  /// The result of a request, and the outcome for the audit log.
  package struct Answer<Value> {
    package var result: Result<Value, Failure>
    package var outcome: String

    /// Returns the answer of a request that succeeded now or earlier.
    package static func done(_ value: Value, _ outcome: String) -> Answer {
      Answer(result: .success(value), outcome: outcome)
    }

    /// Returns the answer of a request that failed.
    package static func failed(_ failure: Failure) -> Answer {
      Answer(result: .failure(failure), outcome: failure.code.rawValue)
    }
  }

  private let limits: ActionLimits?
  private let now: Timestamp

  /// Creates a ledger for requests at one moment.
  ///
  /// - Parameters:
  ///   - limits: The rate limits; nil for no limits.
  ///   - now: The current time.
  package init(limits: ActionLimits?, at now: Timestamp) {
    self.limits = limits
    self.now = now
  }

  /// Answers a request and records the outcome in the audit log, including refusals.
  ///
  /// - Parameters:
  ///   - request: The request as an audit entry; its outcome is not known yet.
  ///   - isSame: `true` if an earlier request with the same id has the same content; nil if there
  ///     was none.
  ///   - rows: The store, in a transaction.
  ///   - act: A function that acts, or looks up the earlier result.
  /// - Returns: The answer of `act`; `Conflict` if the earlier request has other content,
  ///   `RateLimited`.
  /// - Throws: `StorageFailed`, and the errors of `act`.
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
      let refusal = try rows.refusal(of: request.actor, request.action, limits, at: now)
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
