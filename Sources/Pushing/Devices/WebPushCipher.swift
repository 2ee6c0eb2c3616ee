import Core
import Crypto
import Foundation

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
  ///   - ephemeral: The key of the message alone.
  ///   - salt: 16 random bytes.
  /// - Returns: The body, of one record.
  /// - Throws: `BadInput` if the public key is not on the curve.
  static func body(
    _ message: [UInt8], for publicKey: [UInt8], _ secret: [UInt8],
    ephemeral: P256.KeyAgreement.PrivateKey = .init(), salt: [UInt8] = random()
  ) throws(Failure) -> [UInt8] {
    do {
      let own = Array(ephemeral.publicKey.x963Representation)
      let shared = try ephemeral.sharedSecretFromKeyAgreement(
        with: try P256.KeyAgreement.PublicKey(x963Representation: publicKey))
      // RFC 8291, section 3.4.
      let input = shared.hkdfDerivedSymmetricKey(
        using: SHA256.self, salt: secret,
        sharedInfo: Array("WebPush: info\0".utf8) + publicKey + own, outputByteCount: 32)
      // RFC 8188, sections 2.2 and 2.3.
      let key = derived(input, salt, "Content-Encoding: aes128gcm\0", count: 16)
      let nonce = derived(input, salt, "Content-Encoding: nonce\0", count: 12)
      let sealed = try AES.GCM.seal(
        message + [2], using: key, nonce: nonce.withUnsafeBytes { try AES.GCM.Nonce(data: $0) })
      let size = withUnsafeBytes(of: UInt32(recordSize).bigEndian, Array.init)
      return salt + size + [UInt8(own.count)] + own + sealed.ciphertext + sealed.tag
    } catch {
      throw Failure(.badInput, "the key of the subscription is not on the curve P-256")
    }
  }

  private static func derived(
    _ input: SymmetricKey, _ salt: [UInt8], _ info: String, count: Int
  ) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: input, salt: salt, info: Array(info.utf8), outputByteCount: count)
  }

  private static func random() -> [UInt8] {
    SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
  }
}
