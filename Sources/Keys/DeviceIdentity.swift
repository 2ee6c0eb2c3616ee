public import Core
import Cryptography
import Foundation

/// This machine's identity at hosts, which is an ed25519 key pair.
///
/// The private half is stored in the key store, and is read only to sign.
public struct DeviceIdentity: Sendable {
  /// The name under which the key store stores the private half.
  public static let name = "hub-device"

  private let seed: [UInt8]
  /// The public half of the key pair, 32 bytes in base64.
  public let publicKey: String

  /// Returns this machine's identity.
  ///
  /// If there is none, it is created. If several processes call this at once, only one of them
  /// creates the identity.
  ///
  /// - Parameters:
  ///   - keys: The key store.
  ///   - directories: The folders, one of which contains the lock.
  /// - Returns: The identity.
  /// - Throws: `StorageFailed` if the stored secret is not a key; `ToolFailed` of the kind `library`
  ///   if libcrypto is missing; otherwise as the methods of ``KeyStore``.
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
    guard let key = try Ed25519.publicKey(seed: seed) else {
      throw Failure(
        .storageFailed, "the secret '\(Self.name)' is not a key", kind: .corrupt, input: Self.name)
    }
    self.seed = seed
    publicKey = Data(key).base64EncodedString()
  }

  /// Signs the given bytes (RFC 8032).
  ///
  /// - Returns: The signature, which has 64 bytes.
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public func sign(_ message: [UInt8]) throws(Failure) -> [UInt8]? {
    try Ed25519.signature(of: message, seed: seed)
  }
}
