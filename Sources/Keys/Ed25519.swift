import Core
import Crypto
import Foundation

/// Ed25519 keys (RFC 8032) by their raw bytes.
public enum Ed25519 {
  /// A new seed: 32 random bytes.
  public static func makeSeed() -> [UInt8] {
    Array(Curve25519.Signing.PrivateKey().rawRepresentation)
  }

  /// The public key of a seed: 32 bytes each; nil for what is no seed.
  public static func publicKey(seed: [UInt8]) -> [UInt8]? {
    guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
    return Array(key.publicKey.rawRepresentation)
  }

  /// Signs bytes.
  ///
  /// - Parameters:
  ///   - message: The bytes.
  ///   - seed: The private key: 32 bytes.
  /// - Returns: 64 bytes; nil for what is no seed.
  public static func signature(of message: [UInt8], seed: [UInt8]) -> [UInt8]? {
    guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
    return (try? key.signature(for: message)).map(Array.init)
  }
}
