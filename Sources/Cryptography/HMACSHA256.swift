import Core

/// Message authentication codes by HMAC with SHA-256 (RFC 2104).
public enum HMACSHA256 {
  /// Returns the authentication code, 32 bytes, of the given bytes under the given key.
  public static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    let key = key.count > 64 ? SHA256Digest.bytes(key) : key
    let block = key + repeatElement(0, count: 64 - key.count)
    let inner = SHA256Digest.bytes(block.map { $0 ^ 0x36 } + message)
    return SHA256Digest.bytes(block.map { $0 ^ 0x5C } + inner)
  }
}
