public import Core
import Crypto
import Foundation
public import HubWords
public import Storage
import Tokens

/// Which devices may come to the hub: codes, tokens, and who is not let in any more.
///
/// Everything here reads or writes `store.db`, and so belongs on no event loop. Of codes and tokens
/// the store has SHA-256 digests.
public final class DeviceDesk: Sendable {
  /// How long a code is good, in seconds.
  public static let codeLifetime = 600.0
  /// How long an access token is good, in seconds.
  public static let accessLifetime = 3600
  /// How long a device may stay away before its refresh token is too old, in seconds: 90 days.
  public static let refreshLifetime = 90.0 * 86_400
  /// How long the last refresh token may be spent again, in seconds.
  public static let graceSeconds = 60.0
  /// The wrong tries after which a code is void.
  public static let mostTries = 5
  static let longestName = 100
  static let longestPushToken = 4096

  private let store: Store
  private let guesses = GuessLimit()

  /// Keeps devices in a store.
  public init(_ store: Store) { self.store = store }

  // MARK: On the host

  /// Makes a code that a device may register with once, in the next ten minutes.
  ///
  /// - Parameters:
  ///   - scope: What the device may do.
  ///   - name: What it is called, whatever it calls itself.
  ///   - now: The present.
  /// - Returns: The code, which is not to be had again.
  /// - Throws: `BadUsage` for a name that cannot be one, `StorageFailed`.
  public func makeCode(
    scope: DeviceScope, name: String? = nil, at now: Timestamp = .now
  ) throws(Failure) -> Pairing {
    if let name, Self.cleanName(name) == nil {
      throw Failure(.badUsage, "a name must have 1 to \(Self.longestName) characters")
    }
    let end = now.adding(seconds: Self.codeLifetime)
    let code = try store.base.write { rows in
      var code = RegisterCode()
      while try rows.code(code.word) != nil { code = RegisterCode() }
      try rows.add(
        code,
        as: .init(digest: code.digest, tries: 0, scope: scope, name: name, expiresAt: end), at: now)
      return code
    }
    return Pairing(code: code.shown, expiresAt: end, scope: scope, name: name)
  }

  /// All devices, also those that are not let in any more, in the order in which they came.
  ///
  /// - Throws: `StorageFailed`.
  public func devices() throws(Failure) -> [Device] {
    try store.base.read { try $0.devices() }
  }

  /// Lets a device in no more, from its next request on.
  ///
  /// - Parameter id: Its id, a part of it, or its name.
  /// - Returns: The device.
  /// - Throws: `NotFound`; `BadUsage` where it is several; `StorageFailed`.
  public func revoke(_ id: String) throws(Failure) -> Device {
    let devices = try devices()
    let named = devices.filter { $0.name == id && !$0.revoked }
    // A name may be what another device's id is: whoever has that whole id is meant.
    let isId = devices.contains { $0.id == id }
    let whole =
      named.count == 1 && !isId
      ? named[0].id : try IdPart.whole(id, among: devices.map(\.id), "device")
    guard let whole, var device = devices.first(where: { $0.id == whole }) else {
      guard named.isEmpty else {
        let ids = named.map { "'\($0.id)'" }.joined(separator: ", ")
        throw Failure(.badUsage, "several devices have the name '\(id)': \(ids)", input: id)
      }
      throw Failure(.notFound, "there is no device '\(id)'", input: id)
    }
    device.revoked = true
    try store.base.write { try Self.shutOut(device, in: $0) }
    return device
  }

  // MARK: What devices ask

  /// Lets a device in that shows a code: `POST /v1/auth/device/register`.
  ///
  /// A code is good once. After five wrong tries at one it is void, and the hub looks at no more than
  /// 20 wrong ones a minute.
  ///
  /// - Throws: `PairingCodeInvalid`, `PairingCodeExpired`, `RateLimited`; `BadInput` for a name or a
  ///   key that cannot be one; `StorageFailed`.
  public func register(
    _ request: DeviceRegistration, at now: Timestamp = .now
  ) throws(Failure) -> TokenGrant {
    guard let ownName = Self.cleanName(request.deviceName) else {
      throw Failure(
        .badInput, "'deviceName' has 1 to \(Self.longestName) characters", input: "deviceName")
    }
    guard let key = Data(base64Encoded: request.devicePublicKey), key.count == 32,
      (try? Curve25519.Signing.PublicKey(rawRepresentation: key)) != nil
    else {
      throw Failure(
        .badInput, "'devicePublicKey' must be an Ed25519 key: 32 bytes in base64",
        input: "devicePublicKey")
    }
    try Self.check(pushToken: request.pushToken)
    try guesses.check(at: now)
    guard let code = RegisterCode(request.code) else {
      guesses.count(at: now)
      throw Self.invalidCode
    }
    // A wrong try is kept, so it is no failure of the transaction.
    let result: Result<TokenGrant, Failure> = try store.base.write { rows in
      if let refusal = try Self.refusal(of: code, in: rows, at: now) {
        return .failure(refusal)
      }
      let given = try rows.code(code.word)
      try rows.remove(code)
      let device = Device(
        id: Identifier.make(), name: given?.name ?? ownName, scope: given?.scope ?? .events,
        createdAt: now)
      try rows.add(device, publicKey: Array(key), pushToken: request.pushToken)
      return .success(try Self.grant(device, 1, in: rows, at: now))
    }
    if case .failure(let failure) = result, failure.code == .pairingCodeInvalid {
      guesses.count(at: now)
    }
    return try result.get()
  }

  /// Gives a device its next pair of tokens: `POST /v1/auth/token/refresh`.
  ///
  /// A refresh token is good once: spent again, somebody has it who should not, and the device is let
  /// in no more. But an answer may be lost on its way. So the last one that was spent may be spent
  /// again for a minute; the pair that was given for it is void then, and whoever shows that pair's
  /// refresh token afterwards shuts the device out, too. Access tokens of earlier pairs stay good for
  /// their hour, since other processes of the device may still use them.
  ///
  /// - Throws: `AuthExpired` for a token that is not known or too old, `DeviceRevoked`, `BadInput`,
  ///   `StorageFailed`.
  public func refresh(
    _ request: TokenRenewal, at now: Timestamp = .now
  ) throws(Failure) -> TokenGrant {
    guard AccessToken.kind(request.refreshToken) == .refresh else { throw Self.unknownToken }
    let result: Result<TokenGrant, Failure> = try store.base.write { rows in
      guard let token = try rows.token(request.refreshToken), token.isRefresh,
        let row = try rows.device(token.deviceId)
      else { return .failure(Self.unknownToken) }
      guard !row.device.revoked else { return .failure(Self.revoked(row.device)) }
      guard token.expiresAt > now else { return .failure(Self.unknownToken) }
      if let spentAt = token.spentAt {
        guard token.generation == row.generation - 1,
          abs(now.seconds(since: spentAt)) <= Self.graceSeconds
        else {
          var device = row.device
          device.revoked = true
          try Self.shutOut(device, in: rows)
          return .failure(Self.revoked(device))
        }
        try rows.void(row.generation, of: row.device.id)
      }
      try rows.spend(token, at: now)
      return .success(
        try Self.grant(row.device, token.generation + 1, in: rows, at: now))
    }
    return try result.get()
  }

  /// Keeps where a device is told of alerts while it is away: `PUT /v1/auth/device/push-token`.
  ///
  /// - Throws: `BadInput` for a token that is too long, `PermissionDenied` for the operator of this
  ///   machine, who is no device; `StorageFailed`.
  public func setPushToken(
    _ update: PushTokenUpdate, of device: String?
  ) throws(Failure) {
    try Self.check(pushToken: update.pushToken)
    guard let device else {
      throw Failure(.permissionDenied, "only a registered device can set a push token")
    }
    try store.base.write { try $0.setPushToken(update.pushToken, of: device) }
  }

  /// Finds the device of an access token.
  ///
  /// - Throws: `AuthExpired` for one that is not known or too old, `DeviceRevoked`, `StorageFailed`.
  public func authenticate(
    _ accessToken: String, at now: Timestamp = .now
  ) throws(Failure) -> Device {
    guard AccessToken.kind(accessToken) == .access else { throw Self.unknownToken }
    return try store.base.read { rows in
      guard let token = try rows.token(accessToken), !token.isRefresh,
        token.expiresAt > now, let row = try rows.device(token.deviceId)
      else { throw Self.unknownToken }
      guard !row.device.revoked else { throw Self.revoked(row.device) }
      return row.device
    }
  }

  // MARK: Parts

  /// What speaks against a code; a wrong try is counted.
  private static func refusal(
    of code: RegisterCode, in rows: any Rows, at now: Timestamp
  ) throws(Failure) -> Failure? {
    guard let row = try rows.code(code.word) else { return invalidCode }
    guard row.tries < mostTries else { return invalidCode }
    guard AccessToken.areEqual(row.digest, code.digest) else {
      try rows.countTry(code)
      return invalidCode
    }
    guard row.expiresAt > now else {
      return Failure(
        .pairingCodeExpired, "the registration code expired: it is valid for ten minutes")
    }
    return nil
  }

  /// A new pair of tokens for a device.
  private static func grant(
    _ device: Device, _ generation: Int, in rows: any Rows, at now: Timestamp
  ) throws(Failure) -> TokenGrant {
    let grant = TokenGrant(
      deviceId: device.id, accessToken: AccessToken.access.make(), expiresIn: accessLifetime,
      refreshToken: AccessToken.refresh.make())
    try rows.begin(generation, of: device.id, at: now)
    try rows.keep(device.with { $0.lastSeenAt = now })
    for (text, lifetime) in [
      (grant.accessToken, Double(accessLifetime)), (grant.refreshToken, refreshLifetime),
    ] {
      try rows.add(
        text,
        as: .init(
          digest: AccessToken.digest(text), deviceId: device.id, generation: generation,
          isRefresh: text == grant.refreshToken, expiresAt: now.adding(seconds: lifetime)))
    }
    return grant
  }

  private static func shutOut(_ device: Device, in rows: any Rows) throws(Failure) {
    try rows.keep(device)
    try rows.removeTokens(of: device.id)
    try rows.expireGates(of: device.id)
    try rows.setPushToken(nil, of: device.id)
  }

  /// A name on one line; nil for what is none.
  private static func cleanName(_ name: String) -> String? {
    let name = name.trimmingCharacters(in: .whitespaces)
    let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    return name.isEmpty || name.count > longestName || name.utf8.count > longestName * 4 || !isPlain
      ? nil : name
  }

  private static func check(pushToken: String?) throws(Failure) {
    guard (pushToken?.utf8.count ?? 0) <= longestPushToken else {
      throw Failure(
        .badInput, "'pushToken' is longer than \(longestPushToken) bytes", input: "pushToken")
    }
  }

  private static let invalidCode = Failure(
    .pairingCodeInvalid, "the registration code is unknown or already used")
  private static let unknownToken = Failure(.authExpired, "the token is no longer valid")

  private static func revoked(_ device: Device) -> Failure {
    .revoked(device.name, id: device.id)
  }
}

extension Failure {
  /// What a device is told that is not let in any more.
  static func revoked(_ name: String, id: String) -> Failure {
    Failure(.deviceRevoked, "the device '\(name)' was revoked", input: id)
  }
}
