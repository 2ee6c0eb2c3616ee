import Core
import Crypto

/// HMAC with SHA-1 (RFC 2104), for the formats that ask for it, such as hashed names in OpenSSH's
/// known_hosts; nothing new rests on it.
public enum HMACSHA1 {
  /// The code of some bytes under a key: 20 bytes.
  public static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
  }
}
