public import Core
public import Storage

/// The hub that a gate was offered to.
public struct GateHub: Sendable, Hashable {
  /// The hub's URL; for a group of hubs, their URLs, separated by commas.
  public var url: String
  /// `true` if the hub has acknowledged the gate and decides it.
  public var isOwner: Bool
}

/// The gates of runs that report to a hub.
///
/// Once the hub has acknowledged a gate, it owns the gate. The local row is then only a receipt.
extension Store {
  /// Records that the given gate is offered to the given hub.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func offer(gate id: String, to hub: String) throws(Failure) {
    try base.write { rows in
      _ = try rows.run(
        """
        INSERT INTO gateHub (gateId, hub) VALUES (?, ?)
        ON CONFLICT (gateId) DO UPDATE SET hub = excluded.hub, isHeld = 0, isTold = 0
          WHERE gateHub.hub <> excluded.hub
        """, [id, hub])
    }
  }

  /// Transfers the given gate, if it is pending, to the hub that it was offered to.
  ///
  /// - Returns: `true` if the hub now owns the gate; `false` if the gate was already decided here.
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func hold(gate id: String) throws(Failure) -> Bool {
    try base.write { rows in
      try rows.run(
        """
        UPDATE gateHub SET isHeld = 1 WHERE gateId = ?
          AND EXISTS (SELECT 1 FROM gate WHERE id = gateHub.gateId AND status = 'pending')
        """, [id]) > 0
    }
  }

  /// Returns the hub that the given gate was offered to.
  ///
  /// - Returns: The hub; nil if there is none or the gate is decided.
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func hub(ofGate id: String) throws(Failure) -> GateHub? {
    try base.read { try $0.hub(ofGate: id) }
  }

  /// Returns the ids of gates that were decided here without the given hub knowing the decision.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func unreportedGates(_ hub: String) throws(Failure) -> [String] {
    try base.read { rows in
      try rows.values(
        String.self,
        """
        SELECT gateId FROM gateHub JOIN gate ON gate.id = gateId
        WHERE hub = ? AND isTold = 0 AND status <> 'pending' ORDER BY gateId
        """, [hub])
    }
  }

  /// Returns the URLs of hubs that have not received every decision on their gates.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func unreportedHubs() throws(Failure) -> [String] {
    try base.read { rows in
      try rows.values(
        String.self,
        """
        SELECT DISTINCT hub FROM gateHub JOIN gate ON gate.id = gateId
        WHERE isTold = 0 AND status <> 'pending' ORDER BY hub
        """)
    }
  }

  /// Returns the gates of stages whose runner names the given lock.
  ///
  /// Each gate is returned with its stage and status.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func gates(
    lock: String
  ) throws(Failure) -> [(id: String, stageId: String, status: String)] {
    try base.read { rows in
      try rows.all(
        """
        SELECT gate.id AS id, stageId, status FROM runner JOIN gate ON gate.stageId = runner.agentId
        WHERE lock = ? ORDER BY gate.id
        """, [lock]
      ) { row in
        (id: try row["id"], stageId: try row["stageId"], status: try row["status"])
      }
    }
  }
}

extension Rows {
  /// Returns the hub that the given gate was offered to; nil if there is none or the gate is
  /// decided.
  func hub(ofGate id: String) throws(Failure) -> GateHub? {
    try first(
      """
      SELECT hub, isHeld FROM gateHub JOIN gate ON gate.id = gateId
      WHERE gateId = ? AND status = 'pending'
      """, [id]
    ) { row in
      GateHub(url: try row["hub"], isOwner: try row["isHeld"])
    }
  }
}

extension FailureKind {
  /// The kind of a failure about a gate that a hub owns.
  public static let held = Self(rawValue: "held")
}
