import Core
import Crypto

/// HMAC with SHA-1 (RFC 2104), which new formats must not use.
///
/// Some formats require it, such as the hashed host names in OpenSSH's `known_hosts`.
public enum HMACSHA1 {
  /// Returns the authentication code, 20 bytes, of the given bytes under the given key.
  public static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
  }
}
