import Core
import Cryptography

/// The encryption of a push message, which only the subscribed browser can read (RFC 8291).
enum WebPushCipher {
  /// The size of a record in bytes, which is the largest that every push service takes.
  private static let recordSize = 4096
  /// The largest number of bytes that a message may have.
  static let longest = 3000

  /// Returns the given message as a body with the content coding `aes128gcm` (RFC 8188).
  ///
  /// - Parameters:
  ///   - message: The message, at most ``longest`` bytes.
  ///   - publicKey: The browser's public key on the curve P-256 in uncompressed form.
  ///   - secret: The browser's authentication secret.
  ///   - ephemeral: A new key, for this message alone.
  ///   - salt: 16 random bytes.
  /// - Returns: The body, of one record.
  /// - Throws: `BadInput` if the public key is not on the curve; `ToolFailed` of the kind `library`
  ///   if libcrypto is missing or fails.
  static func body(
    _ message: [UInt8], for publicKey: [UInt8], _ secret: [UInt8],
    ephemeral: P256PrivateKey, salt: [UInt8] = RandomBytes.make(16)
  ) throws(Failure) -> [UInt8] {
    guard let browser = try P256PublicKey(publicKey), browser.bytes == publicKey else {
      throw Failure(.badInput, "the key of the subscription is not on the curve P-256")
    }
    let own = ephemeral.publicKey.bytes
    // RFC 8291, section 3.4.
    let input = HKDFSHA256.key(
      from: try ephemeral.sharedSecret(with: browser), salt: secret,
      info: Array("WebPush: info\0".utf8) + publicKey + own, count: 32)
    // RFC 8188, sections 2.2 and 2.3.
    let derived = { (info: String, count: Int) in
      HKDFSHA256.key(from: input, salt: salt, info: Array(info.utf8), count: count)
    }
    let sealed = try AESGCM.seal(
      message + [2], under: derived("Content-Encoding: aes128gcm\0", 16),
      nonce: derived("Content-Encoding: nonce\0", AESGCM.nonceSize))
    let size = withUnsafeBytes(of: UInt32(recordSize).bigEndian, Array.init)
    return salt + size + [UInt8(own.count)] + own + sealed.dropFirst(AESGCM.nonceSize)
  }
}
