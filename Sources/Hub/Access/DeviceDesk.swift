public import Core
import Foundation
public import HubWords
public import Storage
import Tokens

/// The registered devices of a hub: their codes, tokens and revocations.
///
/// Every method reads or writes `store.db`, so none may run on an event loop. The store holds only
/// SHA-256 digests of codes and tokens.
///
/// Hubs may share registered devices. Companions and browsers then stay in the store of one machine,
/// because companions read the chats of that machine.
public final class DeviceDesk: Sendable {
  /// The lifetime of a registration code in seconds.
  public static let codeLifetime = 600.0
  /// The lifetime of an access token in seconds.
  public static let accessLifetime = 3600
  /// The lifetime of a refresh token in seconds: 90 days.
  public static let refreshLifetime = 90.0 * 86_400
  /// The number of seconds within which the last used refresh token may be used again.
  public static let graceSeconds = 60.0
  /// The number of wrong attempts after which a code is void.
  public static let mostTries = 5
  static let longestName = 100
  static let longestPushToken = 4096

  let store: Store
  /// The store of companions and browsers; nil if that is ``store``.
  private let machine: Store?
  /// The store of companions and browsers.
  var own: Store { machine ?? store }

  /// Creates a desk for the given store.
  ///
  /// - Parameters:
  ///   - store: The store of registered devices.
  ///   - machine: The store of this machine if hubs share the other one; nil otherwise.
  public init(_ store: Store, of machine: Store? = nil) {
    (self.store, self.machine) = (store, machine)
  }

  // MARK: On the host

  /// Creates a code with which one device may register in the next ten minutes.
  ///
  /// - Parameters:
  ///   - scope: The actions that the device may take.
  ///   - name: The device's name. It overrides the name that the device sends.
  ///   - now: The current time; nil for the store's own clock.
  /// - Returns: The code. It cannot be recovered from the store.
  /// - Throws: `BadUsage` if the name is invalid; `StorageFailed` if the store cannot be written.
  public func makeCode(
    scope: DeviceScope, name: String? = nil, at now: Timestamp? = nil
  ) throws(Failure) -> Pairing {
    if let name, Self.cleanName(name) == nil {
      throw Failure(
        .badUsage,
        "a name must have 1 to \(Self.longestName) characters, without control characters")
    }
    return try store.base.write { rows in
      let now = now ?? rows.now
      let end = now.adding(seconds: Self.codeLifetime)
      var code = RegisterCode()
      while try rows.code(code.word) != nil { code = RegisterCode() }
      try rows.add(
        code,
        as: .init(digest: code.digest, tries: 0, scope: scope, name: name, expiresAt: end), at: now)
      return Pairing(code: code.shown, expiresAt: end, scope: scope, name: name)
    }
  }

  /// Returns all devices, including revoked ones, in the order of their registration.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func devices() throws(Failure) -> [Device] {
    let all = try store.base.read { try $0.devices() }
    guard let machine else { return all }
    // Earlier versions shared companions and browsers too, which have no access any more.
    return all.filter { !$0.isOfMachine }
      + (try machine.base.read { try $0.devices() }).filter(\.isOfMachine)
  }

  /// Revokes the device with the given id or name.
  ///
  /// Its next request is refused.
  ///
  /// - Parameter id: The device's id, a part of it, or its name.
  /// - Returns: The device.
  /// - Throws: `NotFound` if no device matches; `BadUsage` if several match; `StorageFailed` if the
  ///   store cannot be written.
  public func revoke(_ id: String) throws(Failure) -> Device {
    let devices = try devices()
    let named = devices.filter { $0.name == id && !$0.revoked }
    // An id takes precedence over an equal name of another device.
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
    let place = device.isOfMachine ? own : store
    try place.base.write { try Self.shutOut(device, in: $0) }
    try machine?.base.write { try Self.shutOutBrowsers(of: device, in: $0) }
    return device
  }

  // MARK: Requests of devices

  /// Registers a device with a code: `POST /v1/auth/device/register`.
  ///
  /// A code is valid once. After five wrong attempts it is void. The hub checks at most 20 wrong
  /// codes per minute.
  ///
  /// - Throws: `PairingCodeInvalid` if the code is wrong or void; `PairingCodeExpired` if it has
  ///   expired; `RateLimited` after too many wrong codes; `BadInput` if the name, key or push token
  ///   is invalid; `StorageFailed` if the store cannot be written.
  public func register(
    _ request: DeviceRegistration, at now: Timestamp? = nil
  ) throws(Failure) -> TokenGrant {
    guard let ownName = Self.cleanName(request.deviceName) else {
      throw Failure(
        .badInput, "'deviceName' has 1 to \(Self.longestName) characters", input: "deviceName")
    }
    guard let key = Data(base64Encoded: request.devicePublicKey), key.count == 32 else {
      throw Failure(
        .badInput, "'devicePublicKey' must be an Ed25519 key: 32 bytes in base64",
        input: "devicePublicKey")
    }
    try Self.check(pushToken: request.pushToken)
    // While codes are being guessed, further ones must not occupy the writer.
    if let failure = try store.base.read({ try Self.limit(in: $0, at: now ?? $0.now) }) {
      throw failure
    }
    // A wrong try must not roll the transaction back, because it is counted there.
    let result: Result<TokenGrant, Failure> = try store.base.write { rows in
      let now = now ?? rows.now
      let code: RegisterCode
      switch try Self.check(code: request.code, in: rows, at: now) {
      case .success(let valid): code = valid
      case .failure(let failure): return .failure(failure)
      }
      let given = try rows.code(code.word)
      try rows.remove(code)
      let device = Device(
        id: Identifier.make(), name: given?.name ?? ownName, scope: given?.scope ?? .events,
        createdAt: now)
      try rows.add(device, publicKey: Array(key), pushToken: request.pushToken)
      return .success(try Self.grant(device, 1, in: rows, at: now))
    }
    return try result.get()
  }

  /// Renews a device's tokens: `POST /v1/auth/token/refresh`.
  ///
  /// A refresh token is valid once. If it is used again, it may have been stolen, and the device is
  /// revoked. Because a response may be lost, the last used token may be used again within a
  /// minute. The pair from its first use is then void, and any use of that pair's refresh token
  /// revokes the device. Access tokens of earlier pairs stay valid until they expire, because other
  /// processes of the device may still use them.
  ///
  /// - Throws: `AuthExpired` if the token is unknown or expired; `DeviceRevoked` if the device is
  ///   revoked; `BadInput` if the request is invalid; `StorageFailed` if the store cannot be
  ///   written.
  public func refresh(
    _ request: TokenRenewal, at now: Timestamp? = nil
  ) throws(Failure) -> TokenGrant {
    guard AccessToken.kind(request.refreshToken) == .refresh else { throw Self.unknownToken }
    let result: Result<TokenGrant, Failure> = try store.base.write { rows in
      let now = now ?? rows.now
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

  /// Stores the given device's token for push notifications: `PUT /v1/auth/device/push-token`.
  ///
  /// - Parameters:
  ///   - update: The token.
  ///   - device: The id of the device.
  ///   - isBrowser: `true` if the device is a browser that is signed in.
  /// - Throws: `BadInput` if the token is too long; `PermissionDenied` if `device` is nil, as it is
  ///   for the operator; `StorageFailed` if the store cannot be written.
  public func setPushToken(
    _ update: PushTokenUpdate, of device: String?, isBrowser: Bool = false
  ) throws(Failure) {
    try Self.check(pushToken: update.pushToken)
    guard let device else {
      throw Failure(.permissionDenied, "only a registered device can set a push token")
    }
    let place = isBrowser ? own : store
    try place.base.write { try $0.setPushToken(update.pushToken, of: device) }
  }

  /// Returns the device to which the given access token was granted.
  ///
  /// - Throws: `AuthExpired` if the token is unknown or expired; `DeviceRevoked` if the device is
  ///   revoked; `StorageFailed` if the store cannot be read.
  public func authenticate(
    _ accessToken: String, at now: Timestamp? = nil
  ) throws(Failure) -> Device {
    guard AccessToken.kind(accessToken) == .access else { throw Self.unknownToken }
    return try store.base.read { rows in
      guard let token = try rows.token(accessToken), !token.isRefresh,
        token.expiresAt > now ?? rows.now, let row = try rows.device(token.deviceId)
      else { throw Self.unknownToken }
      guard !row.device.revoked else { throw Self.revoked(row.device) }
      return row.device
    }
  }

  // MARK: Parts

  /// Creates a pair of tokens for the given device.
  private static func grant(
    _ device: Device, _ generation: Int, in rows: any Rows, at now: Timestamp
  ) throws(Failure) -> TokenGrant {
    let grant = TokenGrant(
      deviceId: device.id, accessToken: AccessToken.access.make(), expiresIn: accessLifetime,
      refreshToken: AccessToken.refresh.make())
    try rows.begin(generation, of: device.id, at: now)
    try rows.update(device.with { $0.lastSeenAt = now })
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
    try rows.update(device)
    try rows.removeTokens(of: device.id)
    try rows.expireGates(of: device.id)
    try rows.setPushToken(nil, of: device.id)
    try shutOutBrowsers(of: device, in: rows)
  }

  /// Revokes the browsers that the given device signed in.
  private static func shutOutBrowsers(of device: Device, in rows: any Rows) throws(Failure) {
    for var browser in try rows.devices() where browser.signedInBy == device.id && !browser.revoked
    {
      browser.revoked = true
      try shutOut(browser, in: rows)
    }
  }

  /// Returns the given name without surrounding spaces; nil if it is empty, too long or not on one
  /// line.
  static func cleanName(_ name: String) -> String? {
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

  private static let unknownToken = Failure(.authExpired, "the token is no longer valid")

  static func revoked(_ device: Device) -> Failure {
    .revoked(device.name, id: device.id)
  }
}

extension Device {
  /// `true` if the device belongs to one machine: a companion or a browser.
  fileprivate var isOfMachine: Bool { scope == .companion || via == "page" }
}

extension Failure {
  /// Returns the failure that reports that the given device is revoked.
  static func revoked(_ name: String, id: String) -> Failure {
    Failure(.deviceRevoked, "the device '\(name)' was revoked", input: id)
  }
}
