import Core
import Requests
import Storage
import Tokens

/// A device as the store has it.
struct StoredDevice {
  var device: Device
  /// Counts the pairs of tokens it got.
  var generation: Int
}

/// A token as the store has it.
struct StoredToken {
  var digest: [UInt8]
  var deviceId: String
  var generation: Int
  var isRefresh: Bool
  var expiresAt: Timestamp
  var spentAt: Timestamp?
}

/// A code for registering as the store has it.
struct StoredCode {
  var digest: [UInt8]
  var tries: Int
  var scope: DeviceScope
  var name: String?
  var expiresAt: Timestamp
}

/// Rows of devices, inside a transaction.
extension Rows {
  /// All devices, in the order in which they came.
  func devices() throws(Failure) -> [Device] {
    try records(Device.self, "SELECT record FROM device ORDER BY id")
  }

  /// The ids of the devices that are not let in any more.
  func revokedDevices() throws(Failure) -> Set<String> {
    Set(try values(String.self, "SELECT id FROM device WHERE revokedAt IS NOT NULL"))
  }

  /// A device.
  func device(_ id: String) throws(Failure) -> StoredDevice? {
    try first("SELECT record, generation FROM device WHERE id = ?", [id]) { row in
      StoredDevice(device: try Device(json: row["record"]), generation: try row["generation"])
    }
  }

  /// Keeps a device, new or changed.
  func keep(_ device: Device) throws(Failure) {
    try run(
      """
      UPDATE device SET record = ?, revokedAt = CASE WHEN ? = 1 THEN coalesce(revokedAt, ?) END
      WHERE id = ?
      """, [try device.json(), device.revoked, Timestamp.now.milliseconds, device.id])
  }

  /// Adds a device.
  func add(_ device: Device, publicKey: [UInt8], pushToken: String?) throws(Failure) {
    try run(
      "INSERT INTO device (id, publicKey, pushToken, generation, record) VALUES (?, ?, ?, 0, ?)",
      [device.id, publicKey, pushToken, try device.json()])
  }

  /// Keeps where a device is told of alerts.
  func setPushToken(_ token: String?, of device: String) throws(Failure) {
    try run("UPDATE device SET pushToken = ? WHERE id = ?", [token, device])
  }

  /// A token by its text.
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

  /// Adds a token.
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

  /// Notes when a token was spent; the first time stays.
  func spend(_ token: StoredToken, at now: Timestamp) throws(Failure) {
    try run(
      "UPDATE deviceToken SET spentAt = coalesce(spentAt, ?) WHERE handle = ?",
      [now.milliseconds, handle(token.digest)])
  }

  /// Lets no token of a pair be good any more; its refresh token counts as spent long ago.
  func void(_ generation: Int, of device: String) throws(Failure) {
    try run(
      "DELETE FROM deviceToken WHERE deviceId = ? AND generation = ? AND isRefresh = 0",
      [device, generation])
    try run(
      "UPDATE deviceToken SET spentAt = 0 WHERE deviceId = ? AND generation = ?",
      [device, generation])
  }

  /// Forgets all tokens of a device that is not let in any more.
  func removeTokens(of device: String) throws(Failure) {
    // Those that get a pair stay, to tell the device why it is not let in.
    try run("DELETE FROM deviceToken WHERE deviceId = ? AND isRefresh = 0", [device])
  }

  /// Forgets the tokens of a device that are too old, and counts its pairs.
  func begin(_ generation: Int, of device: String, at now: Timestamp) throws(Failure) {
    try run(
      "DELETE FROM deviceToken WHERE deviceId = ? AND expiresAt <= ?", [device, now.milliseconds])
    try run("UPDATE device SET generation = ? WHERE id = ?", [generation, device])
  }

  /// What a token is found by: an index tells of the time it takes no more than these eight bytes,
  /// and they are a digest's.
  private func handle(_ digest: [UInt8]) -> Int64 {
    digest.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }
}

/// Rows of the gates that devices open.
extension Rows {
  /// Notes which device opens a gate; whoever opened it before stays.
  func note(gate id: String, by device: String) throws(Failure) {
    try run(
      "INSERT INTO gateDevice (gateId, deviceId) VALUES (?, ?) ON CONFLICT (gateId) DO NOTHING",
      [id, device])
  }

  /// The device that opened a gate; nil if none did.
  func device(ofGate id: String) throws(Failure) -> String? {
    try value(String.self, "SELECT deviceId FROM gateDevice WHERE gateId = ?", [id])
  }

  /// Closes the gates at which a device waits that is not let in any more.
  func expireGates(of device: String) throws(Failure) {
    let ids = try values(
      String.self, "SELECT gateId FROM gateDevice WHERE deviceId = ? ORDER BY gateId", [device])
    for id in ids {
      try expire(gate: id, reason: "the device of this request was revoked", at: .now)
    }
  }
}

/// Rows of codes.
extension Rows {
  /// The code of a word.
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

  /// Adds a code; those that are over for a day are forgotten.
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

  /// Counts a wrong try.
  func countTry(_ code: RegisterCode) throws(Failure) {
    try run("UPDATE deviceCode SET tries = tries + 1 WHERE word = ?", [code.word])
  }

  /// Forgets a code.
  func remove(_ code: RegisterCode) throws(Failure) {
    try run("DELETE FROM deviceCode WHERE word = ?", [code.word])
  }
}
