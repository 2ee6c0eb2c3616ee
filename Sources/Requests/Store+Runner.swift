public import Core
public import Storage

/// A process that runs an agent and answers the controls sent to that agent.
public struct Runner: Sendable, Hashable {
  /// The agent's id.
  public var agentId: String
  /// The id of the agent's swarm; nil if it belongs to none.
  public var swarmId: String?
  /// The id of the agent's current run.
  ///
  /// Each run has a new id.
  public var sessionId: String
  /// The name of the lock, in the folder of locks, that the process holds as long as it lives.
  public var lock: String

  /// Creates a runner whose process holds the agent's own lock.
  public init(agentId: String, swarmId: String?, sessionId: String) {
    self.init(
      agentId: agentId, swarmId: swarmId, sessionId: sessionId, lock: Self.lock(ofAgent: agentId))
  }

  /// Creates a runner whose process holds the given lock.
  public init(agentId: String, swarmId: String?, sessionId: String, lock: String) {
    self.agentId = agentId
    self.swarmId = swarmId
    self.sessionId = sessionId
    self.lock = lock
  }

  /// Returns the name of the lock that a process must hold while it runs the given agent.
  public static func lock(ofAgent id: String) -> String {
    "agents/\(SHA256Digest.hexadecimal(Array(id.utf8))).lock"
  }
}

extension Store {
  /// Registers the given runners with new leases.
  ///
  /// Controls that earlier runs of the same agents left unanswered are settled as `unreachable`.
  ///
  /// - Parameters:
  ///   - runners: The runners.
  ///   - isTaken: A function that returns `true` if a new runner must not replace the living runner
  ///     of the same agent; nil if the caller holds a lock for each agent.
  /// - Returns: The runners with their leases, in order.
  /// - Throws: `Conflict` if a runner must not be replaced; `StorageFailed` if the store cannot be
  ///   written.
  @discardableResult
  package func register(
    _ runners: [Runner], unless isTaken: ((_ living: Runner, _ new: Runner) -> Bool)? = nil
  ) throws(Failure) -> [LeasedRunner] {
    let gone =
      isTaken == nil
      ? nil : try gone { rows in try runners.flatMap { try rows.runners(.agent, $0.agentId) } }
    return try base.write { rows in
      try runners.map { runner in
        let earlier = isTaken == nil ? [] : try rows.runners(.agent, runner.agentId)
        let living = earlier.living(without: gone, at: rows.now)
        if let isTaken, living.contains(where: { isTaken($0, runner) }) {
          throw Failure.running(runner)
        }
        let leased = try rows.register(runner, until: leaseEnd(from: rows.now))
        try rows.closeUnanswered(runner.agentId, "sessionId <> ?", runner.sessionId)
        return leased
      }
    }
  }

  /// Renews the leases of all runners that name the given lock, which the calling process must
  /// hold.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  package func renewLease(of lock: String) throws(Failure) {
    try base.write { rows in
      let end = leaseEnd(from: rows.now)
      _ = try rows.run("UPDATE runner SET leaseUntil = ? WHERE lock = ?", [end, lock])
    }
  }

  /// Returns the end of a lease that starts at the given time, in milliseconds since 1970.
  private func leaseEnd(from now: Timestamp) -> Int64 {
    now.adding(seconds: lease.seconds).milliseconds
  }

  /// Unregisters the given runners.
  ///
  /// Controls that these runners left unanswered are settled as `unreachable`.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func unregister(_ runners: [Runner]) throws(Failure) {
    try base.write { rows in
      for runner in runners {
        let identity = [runner.agentId, runner.sessionId]
        // Another process may have taken over the agent.
        guard
          try !rows.has(
            "SELECT 1 FROM runner WHERE agentId = ? AND sessionId = ? AND lock <> ?",
            identity + [runner.lock])
        else { continue }
        try rows.run("DELETE FROM runner WHERE agentId = ? AND sessionId = ?", identity)
        try rows.closeUnanswered(runner.agentId, "sessionId = ?", runner.sessionId)
      }
    }
  }

  /// Unregisters the given runners, except those whose lease was replaced by a later one.
  ///
  /// Controls that these runners left unanswered are settled as `unreachable`.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  package func release(_ runners: [LeasedRunner]) throws(Failure) {
    try base.write { rows in
      for leased in runners {
        let runner = leased.runner
        let count = try rows.run(
          "DELETE FROM runner WHERE agentId = ? AND number = ?", [runner.agentId, leased.number])
        guard count > 0 else { continue }
        try rows.closeUnanswered(runner.agentId, "sessionId = ?", runner.sessionId)
      }
    }
  }
}

extension Failure {
  /// Returns the failure that reports that another process runs the agent of the given runner.
  package static func running(_ runner: Runner) -> Failure {
    Failure(.conflict, "agent '\(runner.agentId)' is already running", input: runner.agentId)
  }
}

extension Store {
  /// Returns the runners whose process is alive.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func livingRunners() throws(Failure) -> [Runner] {
    living(
      among: try base.read { rows in
        try rows.all("SELECT * FROM runner ORDER BY agentId") { try LeasedRunner($0) }
      })
  }

  /// Returns the runners that name the given lock, alive or not.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  package func runners(lock: String) throws(Failure) -> [LeasedRunner] {
    try base.read { rows in
      try rows.all("SELECT * FROM runner WHERE lock = ? ORDER BY agentId", [lock]) {
        try LeasedRunner($0)
      }
    }
  }

  /// Returns `true` if the given agent or swarm has a registered runner, alive or not.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func hasRunners(_ target: ControlTarget, _ id: String) throws(Failure) -> Bool {
    try base.read { rows in try !rows.runners(target, id).isEmpty }
  }
}

extension LeasedRunner {
  fileprivate init(_ row: any RecordRow) throws(Failure) {
    runner = Runner(
      agentId: try row["agentId"], swarmId: try row["swarmId"], sessionId: try row["sessionId"],
      lock: try row["lock"])
    number = try row["number"]
    leaseUntil = Timestamp(milliseconds: try row["leaseUntil"])
  }
}

extension Rows {
  /// Stores the given runner with a new lease, which ends at the given time in milliseconds.
  ///
  /// The number of a lease is the time at which it begins, unless the number of the lease before it
  /// is as high. So the number of a lease that was released does not return.
  fileprivate func register(_ runner: Runner, until end: Int64) throws(Failure) -> LeasedRunner {
    let number = try value(
      Int64.self,
      """
      INSERT INTO runner (agentId, swarmId, sessionId, lock, leaseUntil, number)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (agentId) DO UPDATE SET swarmId = excluded.swarmId,
        sessionId = excluded.sessionId, lock = excluded.lock, leaseUntil = excluded.leaseUntil,
        number = CASE WHEN runner.number < excluded.number THEN excluded.number
          ELSE runner.number + 1 END
      RETURNING number
      """,
      [runner.agentId, runner.swarmId, runner.sessionId, runner.lock, end, now.milliseconds])
    return LeasedRunner(
      runner: runner, number: number ?? 0, leaseUntil: Timestamp(milliseconds: end))
  }

  /// Settles, as `unreachable`, the controls that the given runs of an agent left unanswered.
  fileprivate func closeUnanswered(_ agentId: String, _ runs: String, _ sessionId: String)
    throws(Failure)
  {
    let waiting = "agentId = ? AND outcome IS NULL AND \(runs)"
    let requests = try values(
      String.self, "SELECT requestId FROM delivery WHERE \(waiting)", [agentId, sessionId])
    guard !requests.isEmpty else { return }
    try run(
      "UPDATE delivery SET outcome = ? WHERE \(waiting)",
      [ControlOutcome.unreachable.rawValue, agentId, sessionId])
    for request in requests { try settle(request, at: now) }
  }

  /// Returns the runners of the given agent or swarm, alive or not.
  func runners(_ target: ControlTarget, _ id: String) throws(Failure) -> [LeasedRunner] {
    let column = target == .agent ? "agentId" : "swarmId"
    return try all("SELECT * FROM runner WHERE \(column) = ? ORDER BY agentId", [id]) {
      try LeasedRunner($0)
    }
  }

  /// Returns the runners that have not yet answered the given request, alive or not.
  func runners(toAnswer requestId: String) throws(Failure) -> [LeasedRunner] {
    try all(
      """
      SELECT runner.* FROM delivery JOIN runner USING (agentId, sessionId)
      WHERE requestId = ? AND outcome IS NULL
      """, [requestId]
    ) { try LeasedRunner($0) }
  }
}
