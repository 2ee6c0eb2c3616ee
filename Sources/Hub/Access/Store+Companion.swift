import Core
import Signing
import Storage

/// A companion in the store.
struct StoredCompanion {
  var device: Device
  var key: DeviceKey
  /// The address from which the companion paired.
  var address: String
  /// The time of the companion's first signed request; nil before it.
  ///
  /// Later requests must be signed.
  var signsSince: Timestamp?
  /// The digest of the code with which the companion last paired.
  ///
  /// That pairing may be repeated until the given time.
  var used: (digest: [UInt8], until: Timestamp)
}

/// Methods for the rows of companions, inside a transaction.
extension Rows {
  /// Returns the companion with the given id.
  func companion(_ id: String) throws(Failure) -> StoredCompanion? {
    try companions("WHERE device.id = ?", [id]).first
  }

  /// Returns the companion with the given key.
  ///
  /// If there are several, it is the one that is not revoked, or else the newest.
  func companion(of key: DeviceKey) throws(Failure) -> StoredCompanion? {
    try companions("WHERE device.publicKey = ?", [key.bytes])
      .max {
        ($0.device.revoked ? 0 : 1, $0.device.createdAt)
          < ($1.device.revoked ? 0 : 1, $1.device.createdAt)
      }
  }

  /// Returns the time up to which the signatures of the given companion are invalid.
  ///
  /// It is in seconds since 1970. Nonces of signatures up to that time were forgotten.
  func forgottenUntil(of id: String) throws(Failure) -> Int {
    try value(Int.self, "SELECT forgottenUntil FROM companion WHERE deviceId = ?", [id]) ?? 0
  }

  /// Returns all companions that are not revoked, the most recently paired first.
  func companions() throws(Failure) -> [StoredCompanion] {
    try companions(
      "WHERE device.revokedAt IS NULL ORDER BY connectedAt DESC NULLS LAST, device.id", [])
  }

  /// Assigns the given address to the given device.
  ///
  /// Other companions at that address that do not sign lose the address and are disconnected.
  func assignAddress(_ address: String, to id: String) throws(Failure) {
    for var row in try companions()
    where row.address == address && row.signsSince == nil && row.device.id != id {
      (row.address, row.device.connectedAt) = ("", nil)
      try store(row)
    }
  }

  /// Returns the most recently revoked companion at the given address.
  func revokedCompanion(at address: String) throws(Failure) -> StoredCompanion? {
    try companions(
      """
      WHERE device.revokedAt IS NOT NULL AND companion.address = ?
      ORDER BY device.revokedAt DESC LIMIT 1
      """, [address]
    ).first
  }

  private func companions(
    _ which: String, _ parameters: Parameters
  ) throws(Failure) -> [StoredCompanion] {
    let statement = """
      SELECT device.record, device.publicKey, companion.* FROM companion
      JOIN device ON device.id = companion.deviceId \(which)
      """
    return try all(statement, parameters) { row in
      StoredCompanion(
        device: try Device(json: row["record"]), key: try DeviceKey(row["publicKey"]),
        address: try row["address"],
        signsSince: (try row["signsSince"] as Int64?).map { Timestamp(milliseconds: $0) },
        used: (try row["codeDigest"], Timestamp(milliseconds: try row["codeUntil"])))
    }
  }

  /// Stores the given companion.
  ///
  /// It may be new or changed.
  func store(_ row: StoredCompanion) throws(Failure) {
    let device = row.device
    if try self.device(device.id) == nil {
      try add(device, publicKey: row.key.bytes, pushToken: nil)
    }
    try update(device)
    try run(
      """
      INSERT INTO companion (deviceId, address, connectedAt, signsSince, codeDigest, codeUntil)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (deviceId) DO UPDATE SET address = excluded.address,
        connectedAt = excluded.connectedAt, signsSince = excluded.signsSince,
        codeDigest = excluded.codeDigest, codeUntil = excluded.codeUntil
      """,
      [
        device.id, row.address, device.connectedAt?.milliseconds, row.signsSince?.milliseconds,
        row.used.digest, row.used.until.milliseconds,
      ])
  }

  /// Records the use of the given nonce, and forgets nonces that were used before `old`.
  ///
  /// For each device, the latest creation time among the forgotten nonces is stored. If the clock
  /// goes back, no signature up to that time becomes valid again.
  ///
  /// - Parameters:
  ///   - nonce: The nonce.
  ///   - device: The id of the device that signed with the nonce.
  ///   - created: The creation time of the signature, in seconds since 1970.
  ///   - now: The current time.
  ///   - old: The time before which nonces are forgotten.
  /// - Returns: `true` if the nonce is certainly new.
  /// - Throws: `StorageFailed` if the store cannot be written.
  func use(
    nonce: String, of device: String, created: Int, at now: Timestamp,
    forgettingBefore old: Timestamp
  ) throws(Failure) -> Bool {
    try run(
      """
      UPDATE companion SET forgottenUntil = past.created
      FROM (SELECT deviceId, max(created) AS created FROM companionNonce WHERE at < ?
        GROUP BY deviceId) AS past
      WHERE past.deviceId = companion.deviceId AND past.created > companion.forgottenUntil
      """, [old.milliseconds])
    try run("DELETE FROM companionNonce WHERE at < ?", [old.milliseconds])
    return try run(
      """
      INSERT INTO companionNonce (deviceId, nonce, at, created)
      SELECT deviceId, ?, ?, ? FROM companion WHERE deviceId = ? AND forgottenUntil < ?
      ON CONFLICT (deviceId, nonce) DO NOTHING
      """, [nonce, now.milliseconds, created, device, created]) > 0
  }
}
