package import Core
package import Storage

/// Requests that act once each: repeated they are answered again, and each of them is in the audit.
package struct RequestLedger {
  /// What came of a request, and the word for it in the audit.
  package struct Answer<Value> {
    package var result: Result<Value, Failure>
    package var outcome: String

    /// What was asked for was done, or had been done before.
    package static func done(_ value: Value, _ outcome: String) -> Answer {
      Answer(result: .success(value), outcome: outcome)
    }

    /// It could not be done.
    package static func failed(_ failure: Failure) -> Answer {
      Answer(result: .failure(failure), outcome: failure.code.rawValue)
    }
  }

  private let limits: ActionLimits?
  private let now: Timestamp

  /// Judges requests of one moment.
  ///
  /// - Parameters:
  ///   - limits: How often one may ask; nil for who is not limited.
  ///   - now: The present.
  package init(limits: ActionLimits?, at now: Timestamp) {
    self.limits = limits
    self.now = now
  }

  /// Answers a request, and notes in the audit what came of it, also that it was refused.
  ///
  /// - Parameters:
  ///   - request: What is asked, as an entry of the audit; its outcome is not known yet.
  ///   - isSame: Whether an earlier request of the same id asked for the same; nil where there was none.
  ///   - rows: The store, in a transaction.
  ///   - act: Does what is asked, or finds out what came of it before.
  /// - Returns: The answer of `act`; `Conflict` where the earlier request asked for something else,
  ///   `RateLimited`.
  /// - Throws: `StorageFailed`, and what `act` throws.
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
    try rows.note(entry)
    return answer.result
  }
}
