public import Core
import Foundation
public import HubWords
public import Keys
import Tokens

/// What this machine is let in with at a hub, as the key store keeps it: one secret, so that a pair of
/// tokens is replaced as one.
///
/// It is words with spaces between: access token, refresh token, the device's id, and the
/// milliseconds of its end. An access token alone, as a person or a service manager may give it, does
/// as well; it cannot be renewed.
public struct HubTokens: Sendable, Hashable {
  /// What each request brings along.
  public var access: String
  /// What gets the next pair.
  public var refresh: String?
  /// This device at the hub.
  public var deviceId: String?
  /// When the access token ends, by this machine's clock.
  public var expiresAt: Timestamp?

  /// What a hub granted at some moment.
  public init(_ grant: TokenGrant, at now: Timestamp) {
    access = grant.accessToken
    refresh = grant.refreshToken
    deviceId = grant.deviceId
    expiresAt = now.adding(seconds: Double(grant.expiresIn))
    register()
  }

  /// Reads what the key store has; nil for what is none.
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

  /// As the key store keeps it.
  var secret: String {
    guard let refresh, let deviceId, let expiresAt else { return access }
    return [access, refresh, deviceId, String(expiresAt.milliseconds)].joined(separator: " ")
  }

  /// Each is a secret of its own.
  private func register() {
    Secrets.register(access)
    if let refresh { Secrets.register(refresh) }
  }
}

/// Where the tokens for a hub are kept, and the key of this device.
public struct HubTokenPlace: Sendable {
  /// The hub.
  public let hub: HubChoice
  private let keys: KeyStore
  private let directories: Directories

  /// The place of a hub's tokens.
  ///
  /// - Parameters:
  ///   - hub: The hub.
  ///   - keys: Where secrets are.
  ///   - directories: Where the operator's own token is, and locks.
  public init(_ hub: HubChoice, keys: KeyStore, directories: Directories) {
    (self.hub, self.keys, self.directories) = (hub, keys, directories)
  }

  /// What there is for the hub: stored tokens, else for a hub of this machine its operator's own.
  ///
  /// - Returns: Nil where there is nothing.
  /// - Throws: `StorageFailed` where what is stored is none, and as `KeyStore.find` and `OwnerToken`.
  public func tokens() throws(Failure) -> HubTokens? {
    if let found = try keys.find(hub.keyName) {
      guard let tokens = HubTokens(secret: found.secret) else {
        throw Failure(
          .storageFailed, "the secret '\(hub.keyName)' is not a hub token", kind: .corrupt,
          input: hub.keyName)
      }
      return tokens
    }
    guard hub.isLocal, let token = try OwnerToken.existing(in: directories) else { return nil }
    return HubTokens(secret: token)
  }

  /// Returns `true` if the hub serves from the directories of this process.
  ///
  /// - Throws: As ``tokens()``.
  func isOwn() throws(Failure) -> Bool {
    guard hub.isLocal, try OwnerToken.existing(in: directories) != nil else { return false }
    return try keys.find(hub.keyName) == nil
  }

  /// Keeps tokens.
  ///
  /// - Throws: As `KeyStore.set`.
  public func keep(_ tokens: HubTokens) throws(Failure) {
    _ = try keys.set(hub.keyName, to: tokens.secret)
  }

  /// Forgets them.
  ///
  /// - Throws: `NotFound` where there are none, and as `KeyStore.delete`.
  public func forget() throws(Failure) { try keys.delete(hub.keyName) }

  /// This device's ed25519 public key in base64; see ``DeviceIdentity``.
  ///
  /// - Throws: As ``DeviceIdentity``.
  public func devicePublicKey() throws(Failure) -> String {
    try DeviceIdentity.made(in: keys, directories).publicKey
  }

  /// Takes the lock under which the tokens are renewed, so that of many processes one does it.
  ///
  /// It is looked for again and again: what holds it waits for a network, and a process that is
  /// stopped must not hold up others for good.
  ///
  /// - Throws: `Busy` after half a minute, `StorageFailed`, `Interrupted`.
  func lock() async throws(Failure) -> FileLock {
    let path = "\(directories.state)/hubs/\(hub.keyName).lock"
    let end = ContinuousClock.now + .seconds(30)
    while true {
      if let lock = try FileLock.ifFree(path) { return lock }
      guard ContinuousClock.now < end else {
        throw Failure(
          .busy, "timed out while another process renews the tokens of '\(hub.url)'",
          input: hub.url)
      }
      do {
        try await Task.sleep(for: .milliseconds(20))
      } catch {
        throw Failure(.interrupted, "interrupted while another process renews the tokens")
      }
    }
  }
}
