public import Core
import Foundation
public import Storage

/// A process that lets an agent be steered: it answers the controls that are for the agent.
public struct Runner: Sendable, Hashable {
  /// The agent.
  public var agentId: String
  /// The swarm of the agent.
  public var swarmId: String?
  /// The run of the agent, new each time.
  public var sessionId: String
  /// The lock that the process holds as long as it lives, in the state directory.
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
  /// Lets agents be steered; controls that earlier runs of theirs did not answer are settled.
  ///
  /// - Throws: `StorageFailed`.
  public func register(_ runners: [Runner]) throws(Failure) {
    try base.write { rows in
      for runner in runners {
        try rows.run(
          """
          INSERT INTO runner (agentId, swarmId, sessionId, lock) VALUES (?, ?, ?, ?)
          ON CONFLICT (agentId) DO UPDATE SET
            swarmId = excluded.swarmId, sessionId = excluded.sessionId, lock = excluded.lock
          """, [runner.agentId, runner.swarmId, runner.sessionId, runner.lock])
        try rows.giveUp(runner.agentId, "sessionId <> ?", runner.sessionId)
      }
    }
  }

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
  /// The agents whose process is there.
  ///
  /// - Throws: `StorageFailed`.
  public func livingRunners(_ directories: Directories) throws(Failure) -> [Runner] {
    try base.read { rows in
      try rows.all("SELECT * FROM runner ORDER BY agentId") { try Runner($0) }
    }.filter { directories.isHeld($0.lock) }
  }
}

extension Store {
  /// The runners that name a lock, whether their process is there or not.
  ///
  /// - Throws: `StorageFailed`.
  public func runners(lock: String) throws(Failure) -> [Runner] {
    try base.read { rows in
      try rows.all("SELECT * FROM runner WHERE lock = ? ORDER BY agentId", [lock]) {
        try Runner($0)
      }
    }
  }
}

extension Store {
  /// Whether somebody runs, or ran, an agent or a swarm.
  ///
  /// - Throws: `StorageFailed`.
  public func hasRunners(_ target: ControlTarget, _ id: String) throws(Failure) -> Bool {
    try base.read { rows in try !rows.runners(target, id).isEmpty }
  }
}

extension Directories {
  /// Whether somebody holds a lock of the state directory.
  func isHeld(_ lock: String) -> Bool {
    let path = state + "/" + lock
    guard access(path, F_OK) == 0 else { return false }
    return FileLock.isHeld(path)
  }
}

extension Runner {
  fileprivate init(_ row: any RecordRow) throws(Failure) {
    self.init(
      agentId: try row["agentId"], swarmId: try row["swarmId"], sessionId: try row["sessionId"],
      lock: try row["lock"])
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
  func runners(_ target: ControlTarget, _ id: String) throws(Failure) -> [Runner] {
    let column = target == .agent ? "agentId" : "swarmId"
    return try all(
      "SELECT * FROM runner WHERE \(column) = ? ORDER BY agentId", [id]
    ) { try Runner($0) }
  }
}
