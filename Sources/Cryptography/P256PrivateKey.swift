public import Core
import Foundation

/// A private key on the curve P-256 (FIPS 186-5), for ECDSA with SHA-256 and for ECDH, by libcrypto
/// (EVP_PKEY-EC(7)).
public struct P256PrivateKey: Sendable {
  /// The private key as a number, 32 bytes in big-endian order.
  public let bytes: [UInt8]
  /// The public key.
  public let publicKey: P256PublicKey

  private static let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
  ]
  // ECPrivateKey (RFC 5915) before and behind the number, without the public key.
  private static let head: [UInt8] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
  private static let curve: [UInt8] = [
    0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
  ]

  /// Generates a random key.
  ///
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public init() throws(Failure) {
    while true {
      // One number in four billion is too large.
      guard let key = try Self(RandomBytes.make(32)) else { continue }
      self = key
      return
    }
  }

  /// Reads the given key; returns nil if it is not a number from 1 to the order of the curve.
  ///
  /// - Parameter bytes: 32 bytes in big-endian order.
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public init?(_ bytes: [UInt8]) throws(Failure) {
    guard bytes.count == 32, bytes.contains(where: { $0 != 0 }),
      bytes.lexicographicallyPrecedes(Self.order),
      let key = try EVPKey(privateKey: Self.head + bytes + Self.curve)
    else { return nil }
    self.bytes = bytes
    publicKey = try P256PublicKey(of: key)
  }

  /// Reads the given PEM text (RFC 7468); returns nil if it is not an unencrypted key on P-256.
  ///
  /// - Parameter pem: `PRIVATE KEY` (PKCS #8), as Apple's `.p8` files have it, or `EC PRIVATE KEY`.
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public init?(pem: String) throws(Failure) {
    let text = pem.trimmingCharacters(in: .whitespacesAndNewlines)
    let label = ["PRIVATE KEY", "EC PRIVATE KEY"].first {
      text.hasPrefix("-----BEGIN \($0)-----") && text.hasSuffix("-----END \($0)-----")
    }
    guard let label else { return nil }
    let base64 = text.dropFirst(16 + label.count).dropLast(14 + label.count)
    guard let der = Data(base64Encoded: base64.filter { !$0.isWhitespace }),
      let written = try EVPKey(privateKey: Array(der))?.privateKey,
      written.dropFirst(2).starts(with: Self.head.dropFirst(2)),
      written.dropFirst(39).starts(with: Self.curve)
    else { return nil }
    try self.init(Array(written[7..<39]))
  }

  /// Returns the signature of the given bytes: r and s, with 32 bytes each (RFC 7518, section 3.4).
  ///
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public func signature(of message: [UInt8]) throws(Failure) -> [UInt8] {
    var rest = try key().signature(of: message).dropFirst(2)
    var signature: [UInt8] = []
    while let count = rest.dropFirst().first {
      let number = rest.dropFirst(2).prefix(Int(count)).suffix(32)
      signature += repeatElement(0, count: 32 - number.count) + number
      rest = rest.dropFirst(2 + Int(count))
    }
    return signature
  }

  /// Returns the secret that this key shares with the given one: 32 bytes (SEC 1, section 3.3.1).
  ///
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public func sharedSecret(with other: P256PublicKey) throws(Failure) -> [UInt8] {
    guard let peer = try other.key() else { throw LibCrypto.failure("read a public key") }
    return try key().sharedSecret(with: peer)
  }

  private func key() throws(Failure) -> EVPKey {
    guard let key = try EVPKey(privateKey: Self.head + bytes + Self.curve) else {
      throw LibCrypto.failure("read a private key")
    }
    return key
  }
}
