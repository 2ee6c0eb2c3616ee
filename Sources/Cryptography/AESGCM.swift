internal import CCrypto
public import Core
public import Foundation

/// Authenticated encryption by AES-GCM (NIST SP 800-38D), by libcrypto (EVP_CIPHER-AES(7)).
///
/// Sealed bytes are the nonce of 12 bytes, the ciphertext, and the tag of 16 bytes.
public enum AESGCM {
  /// The size of a nonce in bytes.
  public static let nonceSize = 12
  private static let tagSize = 16

  /// Encrypts and authenticates the given bytes.
  ///
  /// - Parameters:
  ///   - plain: The bytes.
  ///   - key: A key of 16 or 32 bytes.
  ///   - nonce: 12 bytes that are never used twice with the key.
  ///   - data: Further bytes that are authenticated, but not part of the result.
  /// - Returns: The sealed bytes.
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public static func seal(
    _ plain: some ContiguousBytes, under key: [UInt8], nonce: [UInt8] = RandomBytes.make(nonceSize),
    authenticating data: [UInt8] = []
  ) throws(Failure) -> Data {
    try LibCrypto.load()
    let sealed: Data? = plain.withUnsafeBytes { plain in
      var output = Data(nonce) + Data(count: plain.count + tagSize)
      let isSealed = output.withUnsafeMutableBytes { output in
        run(
          isSealing: true, key: key, nonce: nonce, data: data, input: plain,
          output: .init(rebasing: output.dropFirst(nonceSize).dropLast(tagSize)),
          tag: .init(rebasing: output.suffix(tagSize)))
      }
      return isSealed ? output : nil
    }
    guard let sealed else { throw LibCrypto.failure("encrypt") }
    return sealed
  }

  /// Decrypts the given sealed bytes; returns nil if they were changed, or if the key or the
  /// further authenticated bytes differ.
  ///
  /// - Parameters:
  ///   - sealed: The sealed bytes.
  ///   - key: The key of 16 or 32 bytes.
  ///   - data: The further bytes that were authenticated.
  /// - Returns: The bytes that were sealed.
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing.
  public static func open(
    _ sealed: some ContiguousBytes, under key: [UInt8], authenticating data: [UInt8] = []
  ) throws(Failure) -> Data? {
    try LibCrypto.load()
    return sealed.withUnsafeBytes { sealed in
      guard sealed.count >= nonceSize + tagSize else { return nil }
      var plain = Data(count: sealed.count - nonceSize - tagSize)
      // libcrypto takes the tag by a pointer that is not constant.
      var tag = Array(sealed.suffix(tagSize))
      let isOpened = plain.withUnsafeMutableBytes { plain in
        tag.withUnsafeMutableBytes { tag in
          run(
            isSealing: false, key: key, nonce: Array(sealed.prefix(nonceSize)), data: data,
            input: .init(rebasing: sealed.dropFirst(nonceSize).dropLast(tagSize)), output: plain,
            tag: tag)
        }
      }
      return isOpened ? plain : nil
    }
  }

  private static func run(
    isSealing: Bool, key: [UInt8], nonce: [UInt8], data: [UInt8],
    input: UnsafeRawBufferPointer, output: UnsafeMutableRawBufferPointer,
    tag: UnsafeMutableRawBufferPointer
  ) -> Bool {
    defer { ERR_clear_error() }
    guard [16, 32].contains(key.count), nonce.count == nonceSize,
      let context = EVP_CIPHER_CTX_new()
    else { return false }
    defer { EVP_CIPHER_CTX_free(context) }
    let method = key.count == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm()
    guard EVP_CipherInit_ex(context, method, nil, key, nonce, isSealing ? 1 : 0) == 1 else {
      return false
    }
    func add(_ bytes: UnsafeRawBufferPointer, _ output: UnsafeMutableRawPointer?) -> Bool {
      var written: Int32 = 0
      guard !bytes.isEmpty else { return true }
      guard let count = Int32(exactly: bytes.count) else { return false }
      return EVP_CipherUpdate(
        context, output?.assumingMemoryBound(to: UInt8.self), &written,
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count) == 1
        && written == count
    }
    func passTag(_ command: Int32) -> Bool {
      EVP_CIPHER_CTX_ctrl(context, command, Int32(tag.count), tag.baseAddress) == 1
    }
    // The last call writes nothing, because GCM encrypts byte by byte.
    var (rest, written) = ([UInt8](repeating: 0, count: tagSize), Int32(0))
    return data.withUnsafeBytes { add($0, nil) } && add(input, output.baseAddress)
      && (isSealing || passTag(EVP_CTRL_AEAD_SET_TAG))
      && EVP_CipherFinal_ex(context, &rest, &written) == 1
      && (!isSealing || passTag(EVP_CTRL_AEAD_GET_TAG))
  }
}
