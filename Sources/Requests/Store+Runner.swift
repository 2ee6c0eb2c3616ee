public import Core
public import Storage

/// A process that lets an agent be steered: it answers the controls that are for the agent.
public struct Runner: Sendable, Hashable {
  /// The agent.
  public var agentId: String
  /// The swarm of the agent.
  public var swarmId: String?
  /// The run of the agent, new each time.
  public var sessionId: String
  /// The lock that the process holds as long as it lives, in the folder of locks.
  public var lock: String

  /// A runner with the lock that is an agent's own.
  public init(agentId: String, swarmId: String?, sessionId: String) {
    self.init(
      agentId: agentId, swarmId: swarmId, sessionId: sessionId, lock: Self.lock(ofAgent: agentId))
  }

  /// A runner whose process holds another lock.
  public init(agentId: String, swarmId: String?, sessionId: String, lock: String) {
    self.agentId = agentId
    self.swarmId = swarmId
    self.sessionId = sessionId
    self.lock = lock
  }

  /// The name of the lock that only one process may hold that runs an agent.
  public static func lock(ofAgent id: String) -> String {
    "agents/\(SHA256Digest.hexadecimal(Array(id.utf8))).lock"
  }
}

extension Store {
  /// Lets agents be steered, under a new lease; controls that earlier runs of theirs did not answer
  /// are settled.
  ///
  /// - Throws: `StorageFailed`.
  public func register(_ runners: [Runner]) throws(Failure) {
    let end = leaseEnd
    try base.write { rows in
      for runner in runners {
        try rows.run(
          """
          INSERT INTO runner (agentId, swarmId, sessionId, lock, leaseUntil) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (agentId) DO UPDATE SET swarmId = excluded.swarmId,
            sessionId = excluded.sessionId, lock = excluded.lock, leaseUntil = excluded.leaseUntil
          """, [runner.agentId, runner.swarmId, runner.sessionId, runner.lock, end])
        try rows.giveUp(runner.agentId, "sessionId <> ?", runner.sessionId)
      }
    }
  }

  /// Renews the lease of all runners that name a lock; the process that holds the lock does so.
  ///
  /// - Throws: `StorageFailed`.
  package func renewLease(of lock: String) throws(Failure) {
    let end = leaseEnd
    try base.write { rows in
      _ = try rows.run("UPDATE runner SET leaseUntil = ? WHERE lock = ?", [end, lock])
    }
  }

  /// The end of a lease that begins now.
  private var leaseEnd: Int64 { base.now.adding(seconds: Lease.seconds).milliseconds }

  /// Agents that are not steered any more.
  ///
  /// - Throws: `StorageFailed`.
  public func unregister(_ runners: [Runner]) throws(Failure) {
    try base.write { rows in
      for runner in runners {
        try rows.run(
          "DELETE FROM runner WHERE agentId = ? AND sessionId = ?",
          [runner.agentId, runner.sessionId])
        try rows.giveUp(runner.agentId, "sessionId = ?", runner.sessionId)
      }
    }
  }
}

extension Store {
  /// The runners whose process is alive.
  ///
  /// - Throws: `StorageFailed`.
  public func livingRunners() throws(Failure) -> [Runner] {
    living(
      among: try base.read { rows in
        try rows.all("SELECT * FROM runner ORDER BY agentId") { try LeasedRunner($0) }
      })
  }

  /// The runners that name a lock, whether their process is there or not.
  ///
  /// - Throws: `StorageFailed`.
  public func runners(lock: String) throws(Failure) -> [Runner] {
    try base.read { rows in
      try rows.all("SELECT * FROM runner WHERE lock = ? ORDER BY agentId", [lock]) {
        try LeasedRunner($0).runner
      }
    }
  }

  /// Whether somebody runs, or ran, an agent or a swarm.
  ///
  /// - Throws: `StorageFailed`.
  public func hasRunners(_ target: ControlTarget, _ id: String) throws(Failure) -> Bool {
    try base.read { rows in try !rows.runners(target, id).isEmpty }
  }
}

extension LeasedRunner {
  fileprivate init(_ row: any RecordRow) throws(Failure) {
    runner = Runner(
      agentId: try row["agentId"], swarmId: try row["swarmId"], sessionId: try row["sessionId"],
      lock: try row["lock"])
    leaseUntil = Timestamp(milliseconds: try row["leaseUntil"])
  }
}

extension Rows {
  /// Answers what runs of an agent did not answer, and now never will.
  fileprivate func giveUp(_ agentId: String, _ runs: String, _ sessionId: String) throws(Failure) {
    let waiting = "agentId = ? AND outcome IS NULL AND \(runs)"
    let requests = try values(
      String.self, "SELECT requestId FROM delivery WHERE \(waiting)", [agentId, sessionId])
    guard !requests.isEmpty else { return }
    try run(
      "UPDATE delivery SET outcome = ? WHERE \(waiting)",
      [ControlOutcome.unreachable.rawValue, agentId, sessionId])
    for request in requests { try settle(request, at: .now) }
  }

  /// The runners that a control is for, alive or not.
  func runners(_ target: ControlTarget, _ id: String) throws(Failure) -> [LeasedRunner] {
    let column = target == .agent ? "agentId" : "swarmId"
    return try all("SELECT * FROM runner WHERE \(column) = ? ORDER BY agentId", [id]) {
      try LeasedRunner($0)
    }
  }

  /// The runners that are still to answer a control, alive or not.
  func runners(toAnswer requestId: String) throws(Failure) -> [LeasedRunner] {
    try all(
      """
      SELECT runner.* FROM delivery JOIN runner USING (agentId, sessionId)
      WHERE requestId = ? AND outcome IS NULL
      """, [requestId]
    ) { try LeasedRunner($0) }
  }
}
