import Crypto

/// SHA-256 (FIPS 180-4) in lower-case hexadecimal, as records write it.
public enum SHA256Digest {
  /// The digest of some bytes: 64 hexadecimal digits.
  public static func hexadecimal(_ bytes: [UInt8]) -> String {
    var digits = ""
    for byte in SHA256.hash(data: bytes) {
      digits += byte < 16 ? "0" : ""
      digits += String(byte, radix: 16)
    }
    return digits
  }
}
