import Core
import Signing
import Storage

/// A companion as the store has it.
struct StoredCompanion {
  var device: Device
  var key: DeviceKey
  /// The address that it paired from.
  var address: String
  /// The instant of its first signed request: it has to sign all of them since.
  var signsSince: Timestamp?
  /// The code that it last paired with, and until when it gets the same answer for it again.
  var used: (digest: [UInt8], until: Timestamp)
}

/// Rows of companions, inside a transaction.
extension Rows {
  /// A companion.
  func companion(_ id: String) throws(Failure) -> StoredCompanion? {
    try companions("WHERE device.id = ?", [id]).first
  }

  /// The companion of a key: of several the one that is let in, else the newest.
  func companion(of key: DeviceKey) throws(Failure) -> StoredCompanion? {
    try companions("WHERE device.publicKey = ?", [key.bytes])
      .max {
        ($0.device.revoked ? 0 : 1, $0.device.createdAt)
          < ($1.device.revoked ? 0 : 1, $1.device.createdAt)
      }
  }

  /// The second up to which no signature of a companion is good, because nonces are forgotten.
  func forgottenUntil(of id: String) throws(Failure) -> Int {
    try value(Int.self, "SELECT forgottenUntil FROM companion WHERE deviceId = ?", [id]) ?? 0
  }

  /// All companions that are let in, the one that paired last first.
  func companions() throws(Failure) -> [StoredCompanion] {
    try companions("WHERE device.revokedAt IS NULL ORDER BY connectedAt DESC, device.id", [])
  }

  /// Lets an address stand for one device: no other that does not sign is known by it any more, nor
  /// connected.
  func leaveAddress(_ address: String, to id: String) throws(Failure) {
    for var row in try companions()
    where row.address == address && row.signsSince == nil && row.device.id != id {
      (row.address, row.device.connectedAt) = ("", nil)
      try keep(row)
    }
  }

  /// The companion from an address that was shut out last.
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
        device: try Device(json: row["record"]), key: DeviceKey(try row["publicKey"]),
        address: try row["address"],
        signsSince: (try row["signsSince"] as Int64?).map { Timestamp(milliseconds: $0) },
        used: (try row["codeDigest"], Timestamp(milliseconds: try row["codeUntil"])))
    }
  }

  /// Keeps a companion in place of what was known of it.
  func keep(_ row: StoredCompanion) throws(Failure) {
    let device = row.device
    if try self.device(device.id) == nil {
      try add(device, publicKey: row.key.bytes, pushToken: nil)
    }
    try keep(device)
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

  /// Notes that a nonce was used, and forgets those that were used before `old`.
  ///
  /// The latest creation time among a device's forgotten nonces stays: if the clock goes back, no
  /// signature that is as old is good again.
  ///
  /// - Parameters:
  ///   - nonce: The nonce.
  ///   - device: The device that signed with it.
  ///   - created: When it was signed, in seconds since 1970.
  ///   - now: The present.
  ///   - old: Before it, nonces are forgotten.
  /// - Returns: `true` if it is certain that the nonce is used for the first time.
  /// - Throws: `StorageFailed`.
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

  /// Counts a guess at a code.
  ///
  /// - Returns: Its number, which takes it back.
  func countGuess(at now: Timestamp) throws(Failure) -> Int64? {
    try value(
      Int64.self, "INSERT INTO companionGuess (at) VALUES (?) RETURNING id", [now.milliseconds])
  }

  /// Takes a guess back that was right.
  func takeBack(guess: Int64?) throws(Failure) {
    try run("DELETE FROM companionGuess WHERE id = ?", [guess])
  }

  /// When codes were guessed since some moment; earlier guesses are forgotten.
  func guesses(since start: Timestamp) throws(Failure) -> [Timestamp] {
    try run("DELETE FROM companionGuess WHERE at < ?", [start.milliseconds])
    return try values(Int64.self, "SELECT at FROM companionGuess ORDER BY at")
      .map { Timestamp(milliseconds: $0) }
  }

  /// The number of guesses that are not forgotten.
  func guessCount() throws(Failure) -> Int {
    try value(Int.self, "SELECT count(*) FROM companionGuess") ?? 0
  }
}
