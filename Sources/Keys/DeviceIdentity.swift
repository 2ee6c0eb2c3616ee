public import Core
import Foundation

/// What this machine shows hosts that it is itself by: an ed25519 key of its own.
///
/// The private half is in the key store, and leaves it for signing alone.
public struct DeviceIdentity: Sendable {
  /// What the key is called in the key store.
  public static let name = "hub-device"

  private let seed: [UInt8]
  /// The public half: 32 bytes in base64.
  public let publicKey: String

  /// The identity, which is made where there is none: of processes that begin at once, one makes it.
  ///
  /// - Parameters:
  ///   - keys: Where it is kept.
  ///   - directories: Where the lock is.
  /// - Returns: The identity.
  /// - Throws: `StorageFailed` where the secret is no key, and as `KeyStore`.
  public static func made(
    in keys: KeyStore, _ directories: Directories
  ) throws(Failure) -> DeviceIdentity {
    if let found = try existing(in: keys) { return found }
    let lock = try FileLock.waiting(for: directories.state + "/hubs/device.lock")
    defer { withExtendedLifetime(lock) {} }
    if let found = try existing(in: keys) { return found }
    let seed = Ed25519.makeSeed()
    _ = try keys.set(name, to: Data(seed).base64EncodedString())
    return try DeviceIdentity(seed: seed)
  }

  /// The identity, if there is one.
  ///
  /// - Throws: As ``made(in:_:)``.
  public static func existing(in keys: KeyStore) throws(Failure) -> DeviceIdentity? {
    guard let found = try keys.find(name) else { return nil }
    return try DeviceIdentity(seed: Array(Data(base64Encoded: found.secret) ?? Data()))
  }

  private init(seed: [UInt8]) throws(Failure) {
    guard let key = Ed25519.publicKey(seed: seed) else {
      throw Failure(
        .storageFailed, "the secret '\(Self.name)' is not a key", kind: .corrupt, input: Self.name)
    }
    self.seed = seed
    publicKey = Data(key).base64EncodedString()
  }

  /// Signs bytes (RFC 8032).
  ///
  /// - Returns: 64 bytes.
  public func sign(_ message: [UInt8]) -> [UInt8]? { Ed25519.signature(of: message, seed: seed) }
}
