import Core
import Crypto
import Foundation

/// Ed25519 keys and signatures (RFC 8032) as raw bytes.
public enum Ed25519 {
  /// Returns a new seed, which is 32 random bytes.
  public static func makeSeed() -> [UInt8] {
    Array(Curve25519.Signing.PrivateKey().rawRepresentation)
  }

  /// Returns the public key, 32 bytes, of the given seed; nil if the seed is invalid.
  public static func publicKey(seed: [UInt8]) -> [UInt8]? {
    guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
    return Array(key.publicKey.rawRepresentation)
  }

  /// Returns the signature of the given bytes.
  ///
  /// - Parameters:
  ///   - message: The bytes.
  ///   - seed: The private key, 32 bytes.
  /// - Returns: The signature, which has 64 bytes; nil if the seed is invalid.
  public static func signature(of message: [UInt8], seed: [UInt8]) -> [UInt8]? {
    guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
    return (try? key.signature(for: message)).map(Array.init)
  }
}
