import Core
import Crypto

/// HMAC with SHA-1 (RFC 2104), for formats that require it, such as hashed names in OpenSSH's
/// known_hosts.
///
/// New formats must not use it.
public enum HMACSHA1 {
  /// Returns the authentication code of the given bytes under the given key: 20 bytes.
  public static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
  }
}
