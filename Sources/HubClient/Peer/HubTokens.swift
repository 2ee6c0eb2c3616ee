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
public struct HubTokenPlace: Sendable {
  /// The hub.
  public let hub: HubChoice
  private let keys: KeyStore
  private let directories: Directories

  /// Creates the storage for the given hub.
  ///
  /// - Parameters:
  ///   - hub: The hub.
  ///   - keys: The key store.
  ///   - directories: The directories with the operator's token and the locks.
  public init(_ hub: HubChoice, keys: KeyStore, directories: Directories) {
    (self.hub, self.keys, self.directories) = (hub, keys, directories)
  }

  /// Returns the tokens for requests to the hub.
  ///
  /// These are the stored tokens. Without any, it is the operator's token, but only for the address
  /// on which the last hub of these directories listened.
  ///
  /// - Returns: The tokens; nil if there are none.
  /// - Throws: `StorageFailed` if the stored secret is malformed; the errors of `KeyStore.find` and
  ///   `OwnerToken`.
  public func tokens() throws(Failure) -> HubTokens? {
    if let found = try keys.find(hub.keyName) {
      guard let tokens = HubTokens(secret: found.secret) else {
        throw Failure(
          .storageFailed, "the secret '\(hub.keyName)' is not a hub token", kind: .corrupt,
          input: hub.keyName)
      }
      return tokens
    }
    guard try isAddressOfOwn(), let token = try OwnerToken.existing(in: directories) else {
      return nil
    }
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
    _ = try keys.set(hub.keyName, to: tokens.secret)
  }

  /// Deletes the tokens.
  ///
  /// - Throws: `NotFound` if no tokens are stored; as `KeyStore.delete`.
  public func forget() throws(Failure) { try keys.delete(hub.keyName) }

  /// Returns the ed25519 public key of this device in base64; see ``DeviceIdentity``.
  ///
  /// - Throws: As ``DeviceIdentity``.
  public func devicePublicKey() throws(Failure) -> String {
    try DeviceIdentity.made(in: keys, directories).publicKey
  }

  /// Acquires the lock under which one process renews the tokens for all processes.
  ///
  /// - Throws: As `FileLock.forRenewal`.
  func lock() async throws(Failure) -> FileLock {
    try await FileLock.forRenewal(
      "\(directories.state)/hubs/\(hub.keyName).lock", ofTokensFrom: hub.url)
  }
}
