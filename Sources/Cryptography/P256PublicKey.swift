public import Core

/// A public key on the curve P-256 (FIPS 186-5), which libcrypto has validated.
public struct P256PublicKey: Sendable, Hashable {
  /// The uncompressed point, 65 bytes (SEC 1, section 2.3.3).
  public let bytes: [UInt8]

  /// SubjectPublicKeyInfo (RFC 5480) up to the point, without the two lengths that include it.
  private static let algorithm: [UInt8] = [
    0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
    0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03,
  ]

  /// Reads the given key; returns nil if it is not on the curve or has another format.
  ///
  /// The curve is always named, so no parameters of a stranger are used.
  ///
  /// - Parameter bytes: The uncompressed point, the compressed point, or SubjectPublicKeyInfo with
  ///   the uncompressed point in DER.
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public init?(_ bytes: [UInt8]) throws(Failure) {
    let point: ArraySlice<UInt8> =
      bytes.count == 91 && bytes.starts(with: Self.head(65)) ? bytes.suffix(65) : bytes[...]
    switch (point.count, point.first) {
    case (65, 4), (33, 2), (33, 3): break
    default: return nil
    }
    guard let key = try EVPKey(publicKey: Self.head(point.count) + point) else { return nil }
    self.bytes = try key.publicKey
  }

  /// Creates the public key that belongs to the given private key.
  init(of key: borrowing EVPKey) throws(Failure) { bytes = try key.publicKey }

  /// Returns `true` if the given signature of the message was made with this key (ECDSA with
  /// SHA-256).
  ///
  /// - Parameters:
  ///   - signature: The 32 bytes of r, followed by the 32 bytes of s.
  ///   - message: The signed bytes.
  /// - Returns: `true` if the signature is valid.
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public func isSignature(_ signature: [UInt8], of message: [UInt8]) throws(Failure) -> Bool {
    guard signature.count == 64, let key = try key() else { return false }
    let numbers = Self.number(signature.prefix(32)) + Self.number(signature.suffix(32))
    return try key.isSignature([0x30, UInt8(numbers.count)] + numbers, of: message)
  }

  /// Returns the key for libcrypto; nil if libcrypto refuses it.
  func key() throws(Failure) -> EVPKey? { try EVPKey(publicKey: Self.head(bytes.count) + bytes) }

  /// Returns the bytes of SubjectPublicKeyInfo before a point of the given size.
  private static func head(_ size: Int) -> [UInt8] {
    [0x30, UInt8(24 + size)] + algorithm + [UInt8(1 + size), 0]
  }

  /// Returns the given big-endian number as INTEGER in DER (X.690, section 8.3).
  private static func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let digits = bytes.drop { $0 == 0 }
    let sign: [UInt8] = digits.first.map { $0 < 0x80 } ?? false ? [] : [0]
    return [0x02, UInt8(sign.count + digits.count)] + sign + digits
  }
}
