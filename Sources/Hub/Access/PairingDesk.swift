import Core
import Foundation
import HubWords
import Signing
import Storage
import Synchronization
import Tokens

/// Pairs companions: one code at a time, good once, and hardly to be guessed.
///
/// All of this reads or changes the store, one change at a time, and so belongs on the desk's thread
/// for changes. A code that is open lives in memory alone: with the hub it is gone. Who paired, and how
/// often codes were guessed, outlives it.
final class PairingDesk: Sendable {
  /// So many wrong codes are looked at within ``window``; then only the QR code's token is good.
  static let mostGuesses = 5
  /// For so many seconds a wrong code counts.
  static let window = 600.0
  /// An address may try so often, in seconds.
  static let pause = 1.0
  private static let longestName = 64
  private static let mostAddresses = 4096

  private struct State {
    var open: PairingCode?
    /// The code that was used last, and when it would have ended.
    var used: PairingCode?
    /// Who used it.
    var user: Device?
    /// Whether the operator was told that another device came with it.
    var isTold = false
    /// When addresses last tried a code.
    var tries: [String: ContinuousClock.Instant] = [:]
  }

  private let store: Store
  private let note: Note
  private let state = Mutex(State())
  /// How many codes were looked at.
  let compared = Atomic<Int>(0)

  /// Pairs devices of a store; `note` takes notices for the operator.
  init(_ store: Store, note: @escaping Note) { (self.store, self.note) = (store, note) }

  /// Opens a code; the one before it is void.
  ///
  /// - Parameters:
  ///   - seconds: For how long it is wanted.
  ///   - now: The present.
  /// - Returns: The code.
  func start(lifetime seconds: Double?, at now: Timestamp = .now) -> PairingCode {
    let code = PairingCode(lifetime: seconds, at: now)
    state.withLock { $0.open = code }
    return code
  }

  /// Pairs a device that shows a code.
  ///
  /// The device is known by its key: one that pairs again stays the device it was, but for one whose
  /// signatures are not good any more, since the hub's clock was ahead and went back. Whoever asks again
  /// with the same key and code gets the same answer, since the first may have been lost.
  ///
  /// - Parameters:
  ///   - request: The code, the name and the key.
  ///   - address: Where the device is.
  ///   - now: The present.
  /// - Returns: The device.
  /// - Throws: `BadInput`; `PairingCodeInvalid`, `PairingCodeExpired`; `Conflict` for a code that
  ///   another device used; `RateLimited`; `StorageFailed`.
  func complete(
    _ request: PairingCompletion, from address: String, at now: Timestamp = .now
  ) throws(Failure) -> Device {
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
    // Nonces stay known: what the device signed before is not good once more.
    let takesAddress = row.signsSince == nil
    try store.base.write { rows in
      if takesAddress { try rows.leaveAddress(address, to: device.id) }
      if let locked { try rows.keep(locked.device) }
      try rows.keep(row)
    }
    // Changes come one after the other: nobody was here in between.
    state.withLock { ($0.open, $0.used, $0.user, $0.isTold) = (nil, code, device, false) }
    note("'\(name)' paired from \(Visible.line(address)) with \(Self.means(via))")
    return device
  }

  /// Records that a companion disconnected.
  ///
  /// - Throws: `StorageFailed`.
  func disconnect(_ device: Device) throws(Failure) {
    try store.base.write { rows in
      guard var row = try rows.companion(device.id), !row.device.revoked else { return }
      row.device.connectedAt = nil
      try rows.keep(row)
    }
  }

  /// What became of the code that was opened last; nil where none was.
  var progress: (id: String, device: Device?)? {
    state.withLock { state in
      state.open.map { ($0.id, nil) } ?? state.used.map { ($0.id, state.user) }
    }
  }

  /// Whether a code can be typed: not after too many wrong ones.
  ///
  /// - Returns: How long it cannot, in seconds; nil where it can.
  /// - Throws: `StorageFailed`.
  func closedFor(at now: Timestamp = .now) throws(Failure) -> Double? {
    let guesses = try store.base.write { try $0.guesses(since: now.adding(seconds: -Self.window)) }
    guard guesses.count >= Self.mostGuesses, let first = guesses.first else { return nil }
    return max(1, Self.window - now.seconds(since: first))
  }

  // MARK: Parts

  /// The device that a key was, shut out, and the id that it gets in its place; nil where its signatures
  /// are good.
  ///
  /// Its earlier signatures name the earlier id, and are refused as before.
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

  /// The code that is open.
  private func open(
    for request: PairingCompletion, from address: String
  ) throws(Failure) -> PairingCode {
    let (open, used, user) = state.withLock { ($0.open, $0.used, $0.user) }
    if let open, !open.isOver { return open }
    if let used, !used.isOver, used.has(code: request.pairingCode) {
      let isTold = state.withLock { state in
        defer { state.isTold = true }
        return state.isTold
      }
      if !isTold {
        let name = user?.name ?? "a device"
        note("another device at \(Visible.line(address)) tried the code that '\(name)' used")
      }
      throw Failure(.conflict, "another device paired with this code", input: "pairingCode")
    }
    throw Failure(.pairingCodeExpired, "no pairing code is valid: start pairing again on the host")
  }

  /// Looks at six digits that come without a token.
  private func checkGuess(
    _ guess: String, _ code: PairingCode, from address: String, at now: Timestamp
  ) throws(Failure) {
    if let wait = try closedFor(at: now) {
      throw Failure(
        .rateLimited, "too many wrong codes: scan the QR code, or wait",
        retryAfterSeconds: wait.rounded(.up))
    }
    // It counts before it is looked at, so that whoever ends the hub in between has used it up.
    let id = try store.base.write { try $0.countGuess(at: now) }
    compared.wrappingAdd(1, ordering: .relaxed)
    guard code.has(code: guess) else {
      let count = try store.base.read { try $0.guessCount() }
      note("wrong code from \(Visible.line(address)): attempt \(count) of \(Self.mostGuesses)")
      throw Self.invalid
    }
    try store.base.write { try $0.takeBack(guess: id) }
  }

  /// Refuses an address that tried a moment ago.
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

  /// How somebody paired, in words.
  private static func means(_ via: String) -> String { via == "qr" ? "the QR code" : "the digits" }

  /// A name of what can be seen, on one line; nil where nothing is left.
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
