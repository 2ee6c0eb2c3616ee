internal import CCrypto
public import Core

/// OpenSSL's libcrypto, which is loaded at its first use, and its digests for formats that require
/// others than SHA-256.
public enum LibCrypto {
  /// A digest.
  public enum Digest: Sendable {
    /// SHA-1 (FIPS 180-4), which new formats must not use.
    case sha1
    /// SHA-512 (FIPS 180-4).
    case sha512
  }

  /// Returns the digest of the given bytes (EVP_Digest(3)).
  ///
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public static func digest(_ digest: Digest, of message: [UInt8]) throws(Failure) -> [UInt8] {
    try load()
    defer { ERR_clear_error() }
    var (bytes, size) = ([UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE)), UInt32(0))
    let isDone = EVP_Digest(message, message.count, &bytes, &size, method(digest), nil) == 1
    guard isDone else { throw failure("compute a digest") }
    return Array(bytes.prefix(Int(size)))
  }

  /// Returns the authentication code of the given bytes under the given key (RFC 2104, HMAC(3)).
  ///
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public static func code(
    _ digest: Digest, of message: [UInt8], key: [UInt8]
  ) throws(Failure) -> [UInt8] {
    try load()
    defer { ERR_clear_error() }
    var (bytes, size) = ([UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE)), UInt32(0))
    guard let count = Int32(exactly: key.count),
      HMAC(method(digest), key, count, message, message.count, &bytes, &size) != nil
    else { throw failure("compute an authentication code") }
    return Array(bytes.prefix(Int(size)))
  }

  private static func method(_ digest: Digest) -> OpaquePointer? {
    switch digest {
    case .sha1: EVP_sha1()
    case .sha512: EVP_sha512()
    }
  }

  /// Loads the library, unless it is already loaded.
  ///
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  static func load() throws(Failure) {
    try SystemLibrary.crypto.require()
    guard isStarted else { throw failure("be started") }
  }

  /// `true` if the library was initialised (OPENSSL_init_crypto(3)).
  ///
  /// Its state is not freed when the process exits, because other threads may still use it.
  private static let isStarted = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  /// Returns the failure of a call that only a lack of memory or the system's configuration of
  /// OpenSSL explains.
  static func failure(_ purpose: String) -> Failure {
    Failure(.toolFailed, "libcrypto cannot \(purpose)", kind: .library)
  }
}
