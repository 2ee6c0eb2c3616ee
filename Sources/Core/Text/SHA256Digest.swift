import Crypto
import Foundation

/// SHA-256 digests (FIPS 180-4) in the text forms that records and fingerprints use.
public enum SHA256Digest {
  /// Returns the digest of the given bytes: 64 hexadecimal digits in lower case.
  public static func hexadecimal(_ bytes: [UInt8]) -> String {
    var digits = ""
    for byte in SHA256.hash(data: bytes) {
      digits += byte < 16 ? "0" : ""
      digits += String(byte, radix: 16)
    }
    return digits
  }

  /// Returns the digest of the given bytes in base64 without padding: 43 characters.
  public static func base64(_ bytes: [UInt8]) -> String {
    String(Data(SHA256.hash(data: bytes)).base64EncodedString().prefix { $0 != "=" })
  }
}
