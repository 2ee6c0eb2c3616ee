internal import CCrypto
import Core

/// The owner of a key of libcrypto (EVP_PKEY_free(3)): of Ed25519, or of the curve P-256.
///
/// An initializer returns nil if the bytes are not such a key.
struct EVPKey: ~Copyable {
  private let key: OpaquePointer
  /// `true` for a key of P-256, which signs the SHA-256 of a message.
  private let isP256: Bool

  private init?(isP256: Bool = false, _ make: () -> OpaquePointer?) throws(Failure) {
    try LibCrypto.load()
    guard let key = make() else {
      ERR_clear_error()
      return nil
    }
    (self.key, self.isP256) = (key, isP256)
  }

  /// Reads the given seed of Ed25519 (RFC 8032, section 5.1.5).
  init?(ed25519Seed seed: [UInt8]) throws(Failure) {
    try self.init { EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) }
  }

  /// Reads the given public key of Ed25519.
  init?(ed25519PublicKey bytes: [UInt8]) throws(Failure) {
    try self.init { EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count) }
  }

  /// Reads the given ECPrivateKey (RFC 5915) or PKCS #8 structure (RFC 5208) in DER.
  init?(privateKey der: [UInt8]) throws(Failure) {
    try self.init(isP256: true) { Self.decode(der) { d2i_PrivateKey(EVP_PKEY_EC, nil, $0, $1) } }
  }

  /// Reads the given SubjectPublicKeyInfo (RFC 5480) in DER.
  init?(publicKey der: [UInt8]) throws(Failure) {
    try self.init(isP256: true) { Self.decode(der) { d2i_PUBKEY(nil, $0, $1) } }
  }

  deinit {
    EVP_PKEY_free(key)
    // Later calls of other libraries must not find the errors of this key.
    ERR_clear_error()
  }

  private static func decode(
    _ der: [UInt8],
    _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
  ) -> OpaquePointer? {
    der.withUnsafeBufferPointer { bytes in
      var place = bytes.baseAddress
      return read(&place, bytes.count)
    }
  }

  /// The public key: 32 bytes of Ed25519, or the uncompressed point.
  var publicKey: [UInt8] {
    get throws(Failure) {
      let name = isP256 ? OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY : OSSL_PKEY_PARAM_PUB_KEY
      var (bytes, count) = ([UInt8](repeating: 0, count: isP256 ? 65 : 32), 0)
      guard EVP_PKEY_get_octet_string_param(key, name, &bytes, bytes.count, &count) == 1,
        count == bytes.count
      else { throw LibCrypto.failure("export a public key") }
      return bytes
    }
  }

  /// The private key of P-256 as ECPrivateKey in DER (i2d_PrivateKey(3)).
  var privateKey: [UInt8] {
    get throws(Failure) {
      let count = i2d_PrivateKey(key, nil)
      guard count > 0 else { throw LibCrypto.failure("export a private key") }
      var bytes = [UInt8](repeating: 0, count: Int(count))
      let written = bytes.withUnsafeMutableBufferPointer { bytes in
        var place = bytes.baseAddress
        return i2d_PrivateKey(key, &place)
      }
      guard written == count else { throw LibCrypto.failure("export a private key") }
      return bytes
    }
  }

  /// Returns the signature of the given bytes: 64 bytes of Ed25519, or ECDSA's structure in DER.
  func signature(of message: [UInt8]) throws(Failure) -> [UInt8] {
    // The longest signature of P-256 has 72 bytes.
    var (bytes, count) = ([UInt8](repeating: 0, count: 72), 72)
    guard let context = EVP_MD_CTX_new() else { throw LibCrypto.failure("sign") }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestSignInit(context, nil, digest, nil, key) == 1,
      EVP_DigestSign(context, &bytes, &count, message, message.count) == 1
    else { throw LibCrypto.failure("sign") }
    return Array(bytes.prefix(count))
  }

  /// Returns `true` if the given signature of the given bytes was made with this key.
  func isSignature(_ signature: [UInt8], of message: [UInt8]) throws(Failure) -> Bool {
    guard let context = EVP_MD_CTX_new() else { throw LibCrypto.failure("verify a signature") }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1 else {
      throw LibCrypto.failure("verify a signature")
    }
    return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }

  /// Returns the shared secret with the given public key: the x-coordinate of the common point.
  func sharedSecret(with other: borrowing EVPKey) throws(Failure) -> [UInt8] {
    var (bytes, count) = ([UInt8](repeating: 0, count: 32), 32)
    let context = EVP_PKEY_CTX_new(key, nil)
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_derive_init(context) == 1,
      EVP_PKEY_derive_set_peer(context, other.key) == 1,
      EVP_PKEY_derive(context, &bytes, &count) == 1, count == bytes.count
    else { throw LibCrypto.failure("agree on a key") }
    return bytes
  }

  private var digest: OpaquePointer? { isP256 ? EVP_sha256() : nil }
}
