import Core
import Foundation
import GRDB
import Signing

/// What the store keeps of devices, inside a transaction.
extension Database {
  /// A device as the store has it.
  struct DeviceRow {
    var device: Device
    /// Counts the pairs of tokens it got.
    var generation: Int
  }

  /// A token as the store has it.
  struct TokenRow {
    var digest: [UInt8]
    var deviceId: String
    var generation: Int
    var isRefresh: Bool
    var expiresAt: Timestamp
    var spentAt: Timestamp?
  }

  /// All devices, in the order in which they came.
  func devices() throws -> [Device] {
    try records(Device.self, "SELECT record FROM device ORDER BY id")
  }

  /// The ids of the devices that are not let in any more.
  func revokedDevices() throws -> Set<String> {
    try Set(
      String.fetchAll(
        cachedStatement(sql: "SELECT id FROM device WHERE revokedAt IS NOT NULL")))
  }

  /// A device.
  func deviceRow(_ id: String) throws -> DeviceRow? {
    let sql = "SELECT record, generation FROM device WHERE id = ?"
    return try Row.fetchOne(cachedStatement(sql: sql), arguments: [id]).map {
      DeviceRow(device: try Device(json: $0["record"]), generation: $0["generation"])
    }
  }

  /// Keeps a device, new or changed.
  func keep(_ device: Device) throws {
    try run(
      "UPDATE device SET record = ?, revokedAt = CASE WHEN ? THEN coalesce(revokedAt, ?) END WHERE id = ?",
      [try device.json(), device.revoked, Timestamp.now.milliseconds, device.id])
  }

  /// Adds a device.
  func add(_ device: Device, publicKey: [UInt8], pushToken: String?) throws {
    try run(
      "INSERT INTO device (id, publicKey, pushToken, generation, record) VALUES (?, ?, ?, 0, ?)",
      [device.id, Data(publicKey), pushToken, try device.json()])
  }

  /// Keeps where a device is told of alerts.
  func setPushToken(_ token: String?, of device: String) throws {
    try run("UPDATE device SET pushToken = ? WHERE id = ?", [token, device])
  }

  /// A token by its text.
  func tokenRow(_ text: String) throws -> TokenRow? {
    let digest = AccessToken.digest(text)
    let sql = """
      SELECT digest, deviceId, generation, isRefresh, expiresAt, spentAt
      FROM deviceToken WHERE handle = ?
      """
    guard let row = try Row.fetchOne(cachedStatement(sql: sql), arguments: [Self.handle(digest)])
    else { return nil }
    let token = TokenRow(
      digest: Array(row["digest"] as Data), deviceId: row["deviceId"],
      generation: row["generation"], isRefresh: row["isRefresh"],
      expiresAt: Timestamp(milliseconds: row["expiresAt"]),
      spentAt: (row["spentAt"] as Int64?).map { Timestamp(milliseconds: $0) })
    return AccessToken.areEqual(token.digest, digest) ? token : nil
  }

  /// Adds a token.
  func add(_ text: String, as row: TokenRow) throws {
    try run(
      """
      INSERT INTO deviceToken (handle, digest, deviceId, generation, isRefresh, expiresAt)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        Self.handle(row.digest), Data(row.digest), row.deviceId, row.generation, row.isRefresh,
        row.expiresAt.milliseconds,
      ])
  }

  /// Notes when a token was spent; the first time stays.
  func spend(_ token: TokenRow, at now: Timestamp) throws {
    try run(
      "UPDATE deviceToken SET spentAt = coalesce(spentAt, ?) WHERE handle = ?",
      [now.milliseconds, Self.handle(token.digest)])
  }

  /// Lets no token of a pair be good any more; its refresh token counts as spent long ago.
  func void(_ generation: Int, of device: String) throws {
    try run(
      "DELETE FROM deviceToken WHERE deviceId = ? AND generation = ? AND NOT isRefresh",
      [device, generation])
    try run(
      "UPDATE deviceToken SET spentAt = 0 WHERE deviceId = ? AND generation = ?",
      [device, generation])
  }

  /// Forgets all tokens of a device that is not let in any more.
  func removeTokens(of device: String) throws {
    // Those that get a pair stay, to tell the device why it is not let in.
    try run("DELETE FROM deviceToken WHERE deviceId = ? AND NOT isRefresh", [device])
  }

  /// Forgets the tokens of a device that are too old, and counts its pairs.
  func begin(_ generation: Int, of device: String, at now: Timestamp) throws {
    try run(
      "DELETE FROM deviceToken WHERE deviceId = ? AND expiresAt <= ?", [device, now.milliseconds])
    try run("UPDATE device SET generation = ? WHERE id = ?", [generation, device])
  }

  /// What a token is found by: an index tells of the time it takes no more than these eight bytes,
  /// and they are a digest's.
  private static func handle(_ digest: [UInt8]) -> Int64 {
    digest.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }
}

/// What the store keeps of codes.
extension Database {
  /// A code as the store has it.
  struct CodeRow {
    var digest: [UInt8]
    var tries: Int
    var scope: DeviceScope
    var name: String?
    var expiresAt: Timestamp
  }

  /// The code of a word.
  func codeRow(_ word: String) throws -> CodeRow? {
    let sql = "SELECT digest, tries, scope, name, expiresAt FROM deviceCode WHERE word = ?"
    return try Row.fetchOne(cachedStatement(sql: sql), arguments: [word]).map {
      CodeRow(
        digest: Array($0["digest"] as Data), tries: $0["tries"],
        scope: DeviceScope(rawValue: $0["scope"]) ?? .events, name: $0["name"],
        expiresAt: Timestamp(milliseconds: $0["expiresAt"]))
    }
  }

  /// Adds a code; those that are over for a day are forgotten.
  func add(_ code: RegisterCode, as row: CodeRow, at now: Timestamp) throws {
    try run("DELETE FROM deviceCode WHERE expiresAt < ?", [now.milliseconds - 86_400_000])
    try run(
      """
      INSERT INTO deviceCode (word, digest, tries, scope, name, expiresAt) VALUES (?, ?, 0, ?, ?, ?)
      """,
      [
        code.word, Data(row.digest), row.scope.rawValue, row.name, row.expiresAt.milliseconds,
      ])
  }

  /// Counts a wrong try.
  func countTry(_ code: RegisterCode) throws {
    try run("UPDATE deviceCode SET tries = tries + 1 WHERE word = ?", [code.word])
  }

  /// Forgets a code.
  func remove(_ code: RegisterCode) throws {
    try run("DELETE FROM deviceCode WHERE word = ?", [code.word])
  }
}
