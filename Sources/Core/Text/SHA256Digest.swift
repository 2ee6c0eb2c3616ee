import Crypto
import Foundation

/// SHA-256 digests (FIPS 180-4) in the text forms that records and fingerprints use.
public enum SHA256Digest {
  /// Returns the digest of the given bytes: 64 hexadecimal digits in lower case.
  public static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in SHA256.hash(data: bytes) {
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the digest of the given bytes in base64 without padding: 43 characters.
  public static func base64(_ bytes: [UInt8]) -> String {
    String(Data(SHA256.hash(data: bytes)).base64EncodedString().prefix { $0 != "=" })
  }
}
