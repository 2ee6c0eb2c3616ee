public import Core
public import HubWords
public import Keys
import Tokens

/// The credentials of this machine at a hub.
///
/// The key store holds them as one secret.
///
/// The secret has the form `ACCESS REFRESH DEVICE END`: two tokens, the device's id, and the expiry
/// in milliseconds. A secret that is only an access token is also valid, but cannot be renewed.
public struct HubTokens: Sendable, Hashable {
  /// The token that authenticates requests.
  public var access: String
  /// The token with which new tokens are obtained; nil if there is none.
  public var refresh: String?
  /// The id of this device at the hub.
  public var deviceId: String?
  /// The time at which the access token expires, by this machine's clock; nil if unknown.
  public var expiresAt: Timestamp?

  /// Creates the tokens from the given grant, which was received at `now`.
  public init(_ grant: TokenGrant, at now: Timestamp) {
    access = grant.accessToken
    refresh = grant.refreshToken
    deviceId = grant.deviceId
    expiresAt = now.adding(seconds: Double(grant.expiresIn))
    register()
  }

  /// Parses the given secret from the key store; returns nil if it is malformed.
  init?(secret: String) {
    let words = secret.split(separator: " ").map(String.init)
    guard words.count == 1 || words.count == 4, AccessToken.kind(words[0]) != nil else {
      return nil
    }
    access = words[0]
    if words.count == 4 {
      guard AccessToken.kind(words[1]) == .refresh, let end = Int64(words[3]) else { return nil }
      (refresh, deviceId, expiresAt) = (words[1], words[2], Timestamp(milliseconds: end))
    }
    register()
  }

  /// The form in which the key store holds the tokens.
  var secret: String {
    guard let refresh, let deviceId, let expiresAt else { return access }
    return [access, refresh, deviceId, String(expiresAt.milliseconds)].joined(separator: " ")
  }

  /// Registers both tokens as secrets.
  ///
  /// They are then masked in all output.
  private func register() {
    Secrets.register(access)
    if let refresh { Secrets.register(refresh) }
  }
}

/// The place where a hub's tokens and this device's key are stored.
///
/// Hubs that share their records share their devices. At all of them, this machine uses the tokens
/// of one, so it is one device: each hub recognizes its events, and its gates belong to it.
public struct HubTokenPlace: Sendable {
  /// The hub.
  public let hub: HubChoice
  /// The hubs of the group, including ``hub``.
  private let group: [HubChoice]
  private let keys: KeyStore
  private let directories: Directories

  /// Creates the storage for the given hub.
  ///
  /// - Parameters:
  ///   - hub: The hub.
  ///   - group: The hubs that share its records, including the hub itself; empty for one hub.
  ///   - keys: The key store.
  ///   - directories: The directories with the operator's token and the locks.
  public init(
    _ hub: HubChoice, of group: [HubChoice] = [], keys: KeyStore, directories: Directories
  ) {
    (self.hub, self.keys, self.directories) = (hub, keys, directories)
    self.group = group.isEmpty ? [hub] : group
  }

  /// Returns the name under which the tokens are stored.
  ///
  /// It is the name of the first hub of the group for which there are tokens.
  private func keyName() throws(Failure) -> String {
    guard group.count > 1 else { return hub.keyName }
    for hub in group where try keys.has(hub.keyName) { return hub.keyName }
    return hub.keyName
  }

  /// Returns the tokens for requests to the hub.
  ///
  /// These are the stored tokens. Without any, it is the operator's token, but only for the address
  /// on which the last hub of these directories listened, and not for a group, because other hubs
  /// do not know that token.
  ///
  /// - Returns: The tokens; nil if there are none.
  /// - Throws: `StorageFailed` if the stored secret is malformed; the errors of `KeyStore.find` and
  ///   `OwnerToken`.
  public func tokens() throws(Failure) -> HubTokens? {
    let name = try keyName()
    if let found = try keys.find(name) {
      guard let tokens = HubTokens(secret: found.secret) else {
        throw Failure(
          .storageFailed, "the secret '\(name)' is not a hub token", kind: .corrupt, input: name)
      }
      return tokens
    }
    guard group.count == 1, try isAddressOfOwn(),
      let token = try OwnerToken.existing(in: directories)
    else { return nil }
    return HubTokens(secret: token)
  }

  /// Returns `true` if the hub uses the same directories as this process.
  ///
  /// - Throws: As ``tokens()``.
  func isOwn() throws(Failure) -> Bool {
    guard try isAddressOfOwn(), try OwnerToken.existing(in: directories) != nil else {
      return false
    }
    return try keys.find(hub.keyName) == nil
  }

  /// Returns `true` if the last hub that served from these directories listened at the hub's URL.
  private func isAddressOfOwn() throws(Failure) -> Bool {
    guard hub.isLocal else { return false }
    return try (OwnHub.existing(in: directories) ?? .usual).isAt(hub.url)
  }

  /// Stores the given tokens.
  ///
  /// - Throws: As `KeyStore.set`.
  public func store(_ tokens: HubTokens) throws(Failure) {
    _ = try keys.set(try keyName(), to: tokens.secret)
  }

  /// Returns the ed25519 public key of this device in base64; see ``DeviceIdentity``.
  ///
  /// - Throws: As ``DeviceIdentity``.
  public func devicePublicKey() throws(Failure) -> String {
    try DeviceIdentity.made(in: keys, directories).publicKey
  }

  /// Acquires the lock under which one process renews the tokens for all processes.
  ///
  /// - Throws: As `FileLock.forRenewal`; as `KeyStore.find`.
  func lock() async throws(Failure) -> FileLock {
    let name = try await HubPeer.blocking.run { () throws(Failure) in try keyName() }
    return try await FileLock.forRenewal(
      "\(directories.state)/hubs/\(name).lock", ofTokensFrom: hub.url)
  }
}
