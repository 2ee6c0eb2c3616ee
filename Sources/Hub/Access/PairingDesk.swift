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
    let now = now ?? store.now
    guard PairingPayload.isCode(request.pairingCode) else {
      throw Failure(.badInput, "'pairingCode' must have six digits", input: "pairingCode")
    }
    guard let key = DeviceKey(request.devicePublicKey) else {
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
    let known = try store.base.read { try $0.companion(of: key) }
    if let known, known.used.until > now, AccessToken.areEqual(known.used.digest, digest),
      !known.device.revoked
    {
      return known.device
    }
    let code = try open(for: request, from: address)
    try checkPause(address)
    let shown = request.pairingToken.flatMap { $0.isEmpty ? nil : $0 }
    let via = shown == nil ? "code" : "qr"
    if let token = shown {
      guard code.has(token: token), code.has(code: request.pairingCode) else { throw Self.invalid }
    } else {
      try checkGuess(request.pairingCode, code, from: address, at: now)
    }
    let locked = try locked(known, at: now)
    var device =
      (locked == nil ? known?.device : nil)
      ?? Device(id: locked?.newId ?? key.id, name: name, scope: .companion, createdAt: now)
    (device.name, device.revoked, device.via) = (name, false, via)
    (device.connectedAt, device.lastSeenAt) = (now, now)
    device.auth = known?.signsSince == nil ? "address" : "signed"
    let row = StoredCompanion(
      device: device, key: key, address: address, signsSince: known?.signsSince,
      used: (digest, code.expiresAt))
    // The nonces stay stored, so that earlier requests of the device stay invalid.
    let takesAddress = row.signsSince == nil
    try store.base.write { rows in
      if takesAddress { try rows.assignAddress(address, to: device.id) }
      if let locked { try rows.update(locked.device) }
      try rows.store(row)
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

  /// Returns a new id for the given companion, and its device as a revoked one.
  ///
  /// It is nil unless the companion's signatures are invalid because the hub's clock went back.
  /// Earlier signatures name the earlier id, so they are still refused.
  private func locked(
    _ known: StoredCompanion?, at now: Timestamp
  ) throws(Failure) -> (device: Device, newId: String)? {
    guard let known else { return nil }
    var device = known.device
    let id = device.id
    let until = try store.base.read { try $0.forgottenUntil(of: id) }
    guard Int64(until) * 1000 >= now.milliseconds else { return nil }
    (device.revoked, device.connectedAt) = (true, nil)
    return (device, DeviceKey(known.key.bytes + Array("\(until)".utf8)).id)
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
    throw Failure(.pairingCodeExpired, "no pairing code is valid: start pairing again on the host")
  }

  /// Checks six digits that were sent without the QR code's token.
  private func checkGuess(
    _ guess: String, _ code: PairingCode, from address: String, at now: Timestamp
  ) throws(Failure) {
    if let wait = try closedFor(at: now) {
      throw Failure(
        .rateLimited, "too many wrong codes: scan the QR code, or wait",
        retryAfterSeconds: wait.rounded(.up))
    }
    // The guess is counted before it is compared, so that stopping the hub cannot undo the count.
    let id = try store.base.write { try GuessLimit.pairing.count(in: $0, at: now) }
    compared.wrappingAdd(1, ordering: .relaxed)
    guard code.has(code: guess) else {
      let count = try store.base.read { try GuessLimit.pairing.number(in: $0, at: now) }
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
