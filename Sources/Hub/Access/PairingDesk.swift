import Core
import Foundation
import HubWords
import Signing
import Storage
import Synchronization
import Tokens

/// The pairing of companions.
///
/// There is one code at a time. It is valid once and hard to guess.
///
/// Methods must run on the desk's thread for changes. An open code exists only in memory, and is
/// lost when the hub ends. Companions and guesses are stored.
final class PairingDesk: Sendable {
  /// The number of seconds that an address must wait between two attempts.
  static let pause = 1.0
  private static let longestName = 64
  private static let mostAddresses = 4096

  private struct State {
    var open: PairingCode?
    /// The code that was last used.
    var used: PairingCode?
    /// The device that paired with the code that was last used.
    var user: Device?
    /// `true` after it was reported that another device tried the same code.
    var isReported = false
    /// The time of the last attempt from each address.
    var tries: [String: ContinuousClock.Instant] = [:]
  }

  private let store: Store
  private let report: NoticeHandler
  private let state = Mutex(State())
  /// The number of codes that were compared with an open code.
  let compared = Atomic<Int>(0)

  /// Creates a desk for the given store; `report` receives notices for the operator.
  init(_ store: Store, report: @escaping NoticeHandler) {
    (self.store, self.report) = (store, report)
  }

  /// Creates a new code.
  ///
  /// An earlier one is void from then on.
  ///
  /// - Parameters:
  ///   - seconds: The lifetime; nil for the default.
  ///   - now: The current time.
  /// - Returns: The code.
  func start(lifetime seconds: Double?, at now: Timestamp? = nil) -> PairingCode {
    let code = PairingCode(lifetime: seconds, at: now ?? store.now)
    state.withLock { $0.open = code }
    return code
  }

  /// Pairs a device that presents a code.
  ///
  /// A device is identified by its key. If it pairs again, it keeps its id, unless its signatures
  /// are invalid because the hub's clock jumped ahead and went back. A request may be repeated with
  /// the same key and code, because the first response may have been lost.
  ///
  /// - Parameters:
  ///   - request: The code, the name and the key.
  ///   - address: The address of the device.
  ///   - now: The current time.
  /// - Returns: The device.
  /// - Throws: `BadInput` if the request is malformed; `PairingCodeInvalid` if the code is wrong;
  ///   `PairingCodeExpired` if it has expired; `Conflict` if another device used it; `RateLimited`
  ///   after too many attempts; `StorageFailed` if the store cannot be written.
  func complete(
    _ request: PairingCompletion, from address: String, at now: Timestamp? = nil
  ) throws(Failure) -> Device {
    guard PairingPayload.isCode(request.pairingCode) else {
      throw Failure(.badInput, "'pairingCode' must have six digits", input: "pairingCode")
    }
    guard let key = try DeviceKey(request.devicePublicKey) else {
      throw Failure(
        .badInput, "'devicePublicKey' has 1 to \(DeviceKey.longestText) bytes",
        input: "devicePublicKey")
    }
    guard let name = Self.cleanName(request.deviceName) else {
      throw Failure(
        .badInput, "'deviceName' must have 1 to 4096 bytes and a visible character",
        input: "deviceName")
    }
    let digest = PairingCode.digest(request.pairingCode)
    let known = try store.base.read { (rows) throws -> Device? in
      guard let known = try rows.companion(of: key), known.used.until > now ?? rows.now,
        AccessToken.areEqual(known.used.digest, digest), !known.device.revoked
      else { return nil }
      return known.device
    }
    if let known { return known }
    let code = try open(for: request, from: address)
    try checkPause(address)
    let shown = request.pairingToken.flatMap { $0.isEmpty ? nil : $0 }
    let via = shown == nil ? "code" : "qr"
    if let token = shown {
      guard code.has(token: token), code.has(code: request.pairingCode) else { throw Self.invalid }
    } else {
      try checkGuess(request.pairingCode, code, from: address, at: now)
    }
    let device = try store.base.write { rows in
      let now = now ?? rows.now
      var device = Device(id: key.id, name: name, scope: .companion, createdAt: now)
      (device.via, device.connectedAt, device.lastSeenAt) = (via, now, now)
      return try Self.store(
        StoredCompanion(
          device: device, key: key, address: address, signsSince: nil,
          used: (digest, code.expiresAt)),
        in: rows)
    }
    // Only one change runs at a time, so the state is still the same.
    state.withLock { ($0.open, $0.used, $0.user, $0.isReported) = (nil, code, device, false) }
    report("'\(name)' paired from \(Visible.line(address)) with \(Self.means(via))")
    return device
  }

  /// Records that the given companion disconnected.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  func disconnect(_ device: Device) throws(Failure) {
    try store.base.write { rows in
      guard var row = try rows.companion(device.id), !row.device.revoked else { return }
      row.device.connectedAt = nil
      try rows.store(row)
    }
  }

  /// The id of the latest code, and the device that used it; nil if there was no code yet.
  var progress: (id: String, device: Device?)? {
    state.withLock { state in
      state.open.map { ($0.id, nil) } ?? state.used.map { ($0.id, state.user) }
    }
  }

  /// Returns the time until typed codes are accepted again after too many wrong ones.
  ///
  /// The token of a QR code is always accepted.
  ///
  /// - Returns: The number of seconds; nil if typed codes are accepted now.
  /// - Throws: `StorageFailed` if the store cannot be read.
  func closedFor(at now: Timestamp? = nil) throws(Failure) -> Double? {
    try store.base.read { try GuessLimit.pairing.wait(in: $0, at: now ?? $0.now) }
  }

  // MARK: Parts

  /// Stores a companion that pairs for the first time or again, and returns its device.
  ///
  /// Its nonces stay stored, so that earlier requests of the device stay invalid.
  private static func store(
    _ new: StoredCompanion, in rows: any Rows
  ) throws(Failure) -> Device {
    var row = new
    let known = try rows.companion(of: new.key)
    let locked = try locked(known, in: rows, at: new.device.createdAt)
    if let locked {
      row.device.id = locked.newId
    } else if let known {
      row.device = known.device
      (row.device.name, row.device.revoked, row.device.via) = (
        new.device.name, false, new.device.via
      )
      row.device.connectedAt = new.device.connectedAt
      row.device.lastSeenAt = new.device.lastSeenAt
    }
    row.signsSince = known?.signsSince
    row.device.auth = row.signsSince == nil ? "address" : "signed"
    if row.signsSince == nil { try rows.assignAddress(row.address, to: row.device.id) }
    if let locked { try rows.update(locked.device) }
    try rows.store(row)
    return row.device
  }

  /// Returns a new id for the given companion, and its device as a revoked one.
  ///
  /// It is nil unless the companion's signatures are invalid because the hub's clock went back.
  /// Earlier signatures name the earlier id, so they are still refused.
  private static func locked(
    _ known: StoredCompanion?, in rows: any Rows, at now: Timestamp
  ) throws(Failure) -> (device: Device, newId: String)? {
    guard let known else { return nil }
    var device = known.device
    let id = device.id
    let until = try rows.forgottenUntil(of: id)
    guard Int64(until) * 1000 >= now.milliseconds else { return nil }
    (device.revoked, device.connectedAt) = (true, nil)
    return (device, try DeviceKey(known.key.bytes + Array("\(until)".utf8)).id)
  }

  /// Returns the code that the given request names, if it is still open.
  private func open(
    for request: PairingCompletion, from address: String
  ) throws(Failure) -> PairingCode {
    let (open, used, user) = state.withLock { ($0.open, $0.used, $0.user) }
    if let open, !open.isOver { return open }
    if let used, !used.isOver, used.has(code: request.pairingCode) {
      let isReported = state.withLock { state in
        defer { state.isReported = true }
        return state.isReported
      }
      if !isReported {
        let name = user?.name ?? "a device"
        report("another device at \(Visible.line(address)) tried the code that '\(name)' used")
      }
      throw Failure(.conflict, "another device paired with this code", input: "pairingCode")
    }
    throw Failure(
      .pairingCodeExpired, "no pairing code is valid", nextStep: "start pairing again on the host")
  }

  /// Checks six digits that were sent without the QR code's token.
  private func checkGuess(
    _ guess: String, _ code: PairingCode, from address: String, at now: Timestamp?
  ) throws(Failure) {
    // The guess is counted before it is compared, so that stopping the hub cannot undo the count.
    // The limit is checked in the same transaction, because several hubs count.
    let (wait, id, count) = try store.base.write { (rows) throws -> (Double?, Int64?, Int) in
      let now = now ?? rows.now
      if let wait = try GuessLimit.pairing.wait(in: rows, at: now) { return (wait, nil, 0) }
      let id = try GuessLimit.pairing.count(in: rows, at: now)
      return (nil, id, try GuessLimit.pairing.number(in: rows, at: now))
    }
    if let wait {
      throw Failure(
        .rateLimited, "too many wrong codes", retryAfterSeconds: wait.rounded(.up),
        nextStep: "scan the QR code, or wait")
    }
    compared.wrappingAdd(1, ordering: .relaxed)
    guard code.has(code: guess) else {
      report(
        "wrong code from \(Visible.line(address)): attempt \(count) of \(GuessLimit.pairing.most)")
      throw Self.invalid
    }
    try store.base.write { try GuessLimit.remove(id, in: $0) }
  }

  /// Refuses an attempt if the given address made another one within the last second.
  private func checkPause(_ address: String) throws(Failure) {
    let now = ContinuousClock.now
    let isEarly = state.withLock { state in
      if state.tries.count >= Self.mostAddresses {
        state.tries = state.tries.filter { $0.value > now - .seconds(Self.pause) }
      }
      guard let last = state.tries[address], now < last + .seconds(Self.pause) else {
        if state.tries.count < Self.mostAddresses { state.tries[address] = now }
        return false
      }
      return true
    }
    guard isEarly else { return }
    throw Failure(
      .rateLimited, "too many attempts: only one per second is accepted", retryAfterSeconds: 1)
  }

  /// Returns the words that name the given means of pairing in a sentence.
  private static func means(_ via: String) -> String { via == "qr" ? "the QR code" : "the digits" }

  /// Returns the given name on one line, without invisible characters; nil if nothing is left.
  private static func cleanName(_ name: String) -> String? {
    guard name.utf8.count <= 4096 else { return nil }
    let scalars = name.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
        .unassigned:
        false
      default: true
      }
    }
    let clean = String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespaces)
    return clean.isEmpty ? nil : String(clean.prefix(longestName))
  }

  private static let invalid = Failure(
    .pairingCodeInvalid, "the code does not match the one that the host shows", input: "pairingCode"
  )
}
