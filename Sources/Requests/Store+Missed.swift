public import Core
public import Storage

/// An agent that a request to its swarm has not reached.
public struct MissedAgent: Sendable, Hashable {
  /// The agent's id.
  public var agentId: String
  /// A word for the agent's run and the number of attempts to reach it.
  public var mark: String
}

extension Store {
  /// Returns the living agents of the given swarm that a request to it has not reached.
  ///
  /// The request has not reached an agent that has no answer of it and owes none: the agent's runner
  /// was not there, or ended before it answered. There are none if a later request resumed the swarm.
  ///
  /// - Parameters:
  ///   - swarm: The swarm.
  ///   - requestId: The id of the request, with which the ids of later attempts begin.
  /// - Returns: The agents.
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func runners(
    ofSwarm swarm: String, missedBy requestId: String
  ) throws(Failure) -> [MissedAgent] {
    let (runners, attempts) = try base.read { rows in
      (try rows.runners(.swarm, swarm), try rows.attempts(requestId, swarm))
    }
    guard let attempts, !runners.isEmpty else { return [] }
    return living(among: runners).compactMap { runner in
      let tries = attempts[[runner.agentId, runner.sessionId]] ?? []
      guard tries.allSatisfy({ $0 == ControlOutcome.unreachable.rawValue }) else { return nil }
      let run = SHA256Digest.hexadecimal(Array("\(runner.agentId) \(runner.sessionId)".utf8))
      return MissedAgent(agentId: runner.agentId, mark: "\(run.prefix(16))-\(tries.count)")
    }
  }
}

extension Rows {
  /// Returns the outcomes of the given request and its later attempts by agent and run; nil if the
  /// swarm was resumed since.
  fileprivate func attempts(
    _ requestId: String, _ swarm: String
  ) throws(Failure) -> [[String]: [String?]]? {
    guard
      let first = try record(
        ControlReceipt.self, "SELECT record FROM control WHERE requestId = ?", [requestId])
    else { return nil }
    let resumes = try records(
      ControlReceipt.self, "SELECT record FROM control WHERE target = ? AND id = ?",
      [ControlTarget.swarm.rawValue, swarm]
    ).filter { $0.action == .resume && $0.ts >= first.ts }
    guard resumes.isEmpty else { return nil }
    let found = try all(
      """
      SELECT agentId, sessionId, outcome FROM delivery
      WHERE requestId = ? OR requestId LIKE ?
      """, [requestId, requestId + "-%"]
    ) { row in
      let key: [String] = [try row["agentId"], try row["sessionId"]]
      return (key: key, outcome: try row["outcome"] as String?)
    }
    return Dictionary(grouping: found, by: \.key).mapValues { $0.map(\.outcome) }
  }
}
