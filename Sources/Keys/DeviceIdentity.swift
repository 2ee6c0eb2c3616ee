public import Core
import Foundation

/// This machine's identity at hosts: its own ed25519 key pair.
///
/// The private half is in the key store and is read only for signing.
public struct DeviceIdentity: Sendable {
  /// The name of the key in the key store.
  public static let name = "hub-device"

  private let seed: [UInt8]
  /// The public half: 32 bytes in base64.
  public let publicKey: String

  /// Returns this machine's identity, and creates it if there is none.
  ///
  /// If several processes do so at once, only one creates it.
  ///
  /// - Parameters:
  ///   - keys: The key store.
  ///   - directories: The folders, for the lock.
  /// - Returns: The identity.
  /// - Throws: `StorageFailed` if the stored secret is not a key; otherwise as `KeyStore`.
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

  /// Returns this machine's identity; nil if there is none.
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

  /// Signs the given bytes (RFC 8032).
  ///
  /// - Returns: The signature, 64 bytes.
  public func sign(_ message: [UInt8]) -> [UInt8]? { Ed25519.signature(of: message, seed: seed) }
}
