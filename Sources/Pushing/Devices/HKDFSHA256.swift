import Cryptography

/// The derivation of keys by HKDF with SHA-256 (RFC 5869).
enum HKDFSHA256 {
  /// Returns a key of the given number of bytes, at most 8160.
  static func key(
    from input: [UInt8], salt: [UInt8], info: [UInt8], count: Int
  ) -> [UInt8] {
    let extracted = HMACSHA256.code(of: input, key: salt)
    var (key, block): ([UInt8], [UInt8]) = ([], [])
    for number in 1...UInt8.max where key.count < count {
      block = HMACSHA256.code(of: block + info + [number], key: extracted)
      key += block
    }
    return Array(key.prefix(count))
  }
}
