import Core
import Requests
import Storage
import Tokens

/// A device in the store.
struct StoredDevice {
  var device: Device
  /// The number of token pairs that the device received.
  var generation: Int
}

/// A token in the store.
struct StoredToken {
  var digest: [UInt8]
  var deviceId: String
  var generation: Int
  var isRefresh: Bool
  var expiresAt: Timestamp
  var spentAt: Timestamp?
}

/// A registration code in the store.
struct StoredCode {
  var digest: [UInt8]
  var tries: Int
  var scope: DeviceScope
  var name: String?
  var expiresAt: Timestamp
}

/// Methods for the rows of devices, inside a transaction.
extension Rows {
  /// Returns all devices, in the order of their registration.
  func devices() throws(Failure) -> [Device] {
    try records(Device.self, "SELECT record FROM device ORDER BY id")
  }

  /// Returns the ids of the revoked devices.
  func revokedDevices() throws(Failure) -> Set<String> {
    Set(try values(String.self, "SELECT id FROM device WHERE revokedAt IS NOT NULL"))
  }

  /// Returns the device with the given id.
  func device(_ id: String) throws(Failure) -> StoredDevice? {
    try first("SELECT record, generation FROM device WHERE id = ?", [id]) { row in
      StoredDevice(device: try Device(json: row["record"]), generation: try row["generation"])
    }
  }

  /// Updates the given device.
  func update(_ device: Device) throws(Failure) {
    try run(
      """
      UPDATE device SET record = ?, revokedAt = CASE WHEN ? = 1 THEN coalesce(revokedAt, ?) END
      WHERE id = ?
      """, [try device.json(), device.revoked, now.milliseconds, device.id])
  }

  /// Inserts the given device.
  func add(_ device: Device, publicKey: [UInt8], pushToken: String?) throws(Failure) {
    try run(
      "INSERT INTO device (id, publicKey, pushToken, generation, record) VALUES (?, ?, ?, 0, ?)",
      [device.id, publicKey, pushToken, try device.json()])
  }

  /// Stores the given device's token for push notifications.
  func setPushToken(_ token: String?, of device: String) throws(Failure) {
    try run("UPDATE device SET pushToken = ? WHERE id = ?", [token, device])
  }

  /// Returns the token with the given text.
  func token(_ text: String) throws(Failure) -> StoredToken? {
    let digest = AccessToken.digest(text)
    let token = try first(
      """
      SELECT digest, deviceId, generation, isRefresh, expiresAt, spentAt
      FROM deviceToken WHERE handle = ?
      """, [handle(digest)]
    ) { row in
      StoredToken(
        digest: try row["digest"], deviceId: try row["deviceId"],
        generation: try row["generation"], isRefresh: try row["isRefresh"],
        expiresAt: Timestamp(milliseconds: try row["expiresAt"]),
        spentAt: (try row["spentAt"] as Int64?).map { Timestamp(milliseconds: $0) })
    }
    return token.flatMap { AccessToken.areEqual($0.digest, digest) ? $0 : nil }
  }

  /// Inserts a token with the given text.
  func add(_ text: String, as row: StoredToken) throws(Failure) {
    try run(
      """
      INSERT INTO deviceToken (handle, digest, deviceId, generation, isRefresh, expiresAt)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        handle(row.digest), row.digest, row.deviceId, row.generation, row.isRefresh,
        row.expiresAt.milliseconds,
      ])
  }

  /// Sets the time at which the token with the given text expires.
  func extend(_ text: String, to end: Timestamp) throws(Failure) {
    try run(
      "UPDATE deviceToken SET expiresAt = ? WHERE handle = ?",
      [end.milliseconds, handle(AccessToken.digest(text))])
  }

  /// Deletes the browsers whose access ended before the given time.
  func removeBrowsers(endedBefore time: Timestamp) throws(Failure) {
    let ended = "generation = 0 AND expiresAt < ?"
    let browsers = try values(
      String.self, "SELECT deviceId FROM deviceToken WHERE \(ended)", [time.milliseconds])
    // A token refers to its device.
    try run("DELETE FROM deviceToken WHERE \(ended)", [time.milliseconds])
    for browser in browsers { try run("DELETE FROM device WHERE id = ?", [browser]) }
  }

  /// Records the first use of the given token.
  func spend(_ token: StoredToken, at now: Timestamp) throws(Failure) {
    try run(
      "UPDATE deviceToken SET spentAt = coalesce(spentAt, ?) WHERE handle = ?",
      [now.milliseconds, handle(token.digest)])
  }

  /// Voids the given pair of tokens.
  ///
  /// From then on, its refresh token counts as used long ago.
  func void(_ generation: Int, of device: String) throws(Failure) {
    try run(
      "DELETE FROM deviceToken WHERE deviceId = ? AND generation = ? AND isRefresh = 0",
      [device, generation])
    try run(
      "UPDATE deviceToken SET spentAt = 0 WHERE deviceId = ? AND generation = ?",
      [device, generation])
  }

  /// Deletes the access tokens of the given device after it was revoked.
  func removeTokens(of device: String) throws(Failure) {
    // Refresh tokens stay, so that the hub can report the revocation to the device.
    try run("DELETE FROM deviceToken WHERE deviceId = ? AND isRefresh = 0", [device])
  }

  /// Deletes the expired tokens of the given device, and records the number of its token pairs.
  func begin(_ generation: Int, of device: String, at now: Timestamp) throws(Failure) {
    try run(
      "DELETE FROM deviceToken WHERE deviceId = ? AND expiresAt <= ?", [device, now.milliseconds])
    try run("UPDATE device SET generation = ? WHERE id = ?", [generation, device])
  }

  /// Returns the first eight bytes of the given digest as an index key.
  ///
  /// The duration of a look-up therefore reveals at most these bytes.
  private func handle(_ digest: [UInt8]) -> Int64 {
    digest.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }
}

/// Methods for the rows of gates that devices open.
extension Rows {
  /// Records the device that opened the given gate, unless a device is already recorded.
  func record(gate id: String, by device: String) throws(Failure) {
    try run(
      "INSERT INTO gateDevice (gateId, deviceId) VALUES (?, ?) ON CONFLICT (gateId) DO NOTHING",
      [id, device])
  }

  /// Returns the device that opened the given gate; nil if no device did.
  func device(ofGate id: String) throws(Failure) -> String? {
    try value(String.self, "SELECT deviceId FROM gateDevice WHERE gateId = ?", [id])
  }

  /// Expires the pending gates of the given device after it was revoked.
  func expireGates(of device: String) throws(Failure) {
    let ids = try values(
      String.self, "SELECT gateId FROM gateDevice WHERE deviceId = ? ORDER BY gateId", [device])
    for id in ids {
      try expire(gate: id, reason: "the device of this request was revoked", at: now)
    }
  }
}

/// Methods for the rows of registration codes.
extension Rows {
  /// Returns the code with the given first five characters.
  func code(_ word: String) throws(Failure) -> StoredCode? {
    try first(
      "SELECT digest, tries, scope, name, expiresAt FROM deviceCode WHERE word = ?", [word]
    ) { row in
      StoredCode(
        digest: try row["digest"], tries: try row["tries"],
        scope: DeviceScope(rawValue: try row["scope"]) ?? .events, name: try row["name"],
        expiresAt: Timestamp(milliseconds: try row["expiresAt"]))
    }
  }

  /// Inserts the given code, and deletes codes that expired more than a day ago.
  func add(_ code: RegisterCode, as row: StoredCode, at now: Timestamp) throws(Failure) {
    try run("DELETE FROM deviceCode WHERE expiresAt < ?", [now.milliseconds - 86_400_000])
    try run(
      """
      INSERT INTO deviceCode (word, digest, tries, scope, name, expiresAt) VALUES (?, ?, 0, ?, ?, ?)
      """,
      [
        code.word, row.digest, row.scope.rawValue, row.name, row.expiresAt.milliseconds,
      ])
  }

  /// Counts a wrong attempt against the given code.
  func countTry(_ code: RegisterCode) throws(Failure) {
    try run("UPDATE deviceCode SET tries = tries + 1 WHERE word = ?", [code.word])
  }

  /// Deletes the given code.
  func remove(_ code: RegisterCode) throws(Failure) {
    try run("DELETE FROM deviceCode WHERE word = ?", [code.word])
  }
}
