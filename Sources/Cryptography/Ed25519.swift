public import Core

/// Ed25519 keys and signatures (RFC 8032) as raw bytes, by libcrypto (EVP_PKEY-ED25519(7)).
public enum Ed25519 {
  /// Returns a new seed, which is 32 random bytes.
  public static func makeSeed() -> [UInt8] { RandomBytes.make(32) }

  /// Returns the public key, 32 bytes, of the given seed; nil if the seed does not have 32 bytes.
  ///
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public static func publicKey(seed: [UInt8]) throws(Failure) -> [UInt8]? {
    guard let key = try EVPKey(ed25519Seed: seed) else { return nil }
    return try key.publicKey
  }

  /// Returns the signature of the given bytes.
  ///
  /// - Parameters:
  ///   - message: The bytes.
  ///   - seed: The private key, 32 bytes.
  /// - Returns: The signature, which has 64 bytes; nil if the seed does not have 32 bytes.
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public static func signature(of message: [UInt8], seed: [UInt8]) throws(Failure) -> [UInt8]? {
    guard let key = try EVPKey(ed25519Seed: seed) else { return nil }
    return try key.signature(of: message)
  }

  /// Returns `true` if the given signature of the message was made with the given key.
  ///
  /// - Parameters:
  ///   - signature: The signature, 64 bytes.
  ///   - message: The signed bytes.
  ///   - publicKey: The public key, 32 bytes.
  /// - Returns: `true` if the signature is valid; `false` also if an argument has another size.
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public static func isSignature(
    _ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]
  ) throws(Failure) -> Bool {
    guard let key = try EVPKey(ed25519PublicKey: publicKey) else { return false }
    return try key.isSignature(signature, of: message)
  }
}
