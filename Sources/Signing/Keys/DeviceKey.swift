public import Core
import Cryptography
import Foundation

/// The public key of a device.
///
/// It is read from the text that the device sends: a bare key, SubjectPublicKeyInfo, PEM, or a line
/// of OpenSSH. In every format, the same key gives the same device id.
public struct DeviceKey: Sendable, Hashable {
  /// The algorithm of a key.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// Ed25519 signatures (RFC 8032).
    case ed25519
    /// ECDSA signatures on P-256 with SHA-256.
    case p256 = "ecdsa-p256-sha256"
    /// Data in an unknown format.
    ///
    /// It identifies a device but cannot verify signatures.
    case opaque
  }

  /// The maximum size of a key's text in bytes.
  public static let longestText = 4096

  /// The algorithm.
  public let kind: Kind
  /// The key itself.
  ///
  /// For `ed25519` these are its 32 bytes, for `p256` the uncompressed point, and for `opaque` the
  /// decoded text.
  public let bytes: [UInt8]
  /// The key of the kind `p256`.
  private let p256: P256PublicKey?

  /// Reads a key from the given text; returns nil if the text is empty or longer than
  /// ``longestText``.
  ///
  /// - Throws: `ToolFailed` of the kind `library` if the text may be a key on P-256, and libcrypto
  ///   is missing.
  public init?(_ text: String) throws(Failure) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, text.utf8.count <= Self.longestText else { return nil }
    let decoded =
      Self.fromPEM(text) ?? Self.fromOpenSSH(text) ?? Self.fromBase64(text) ?? Array(text.utf8)
    try self.init(decoded)
  }

  /// Creates a key from its given bytes, as decoded or as stored.
  ///
  /// - Throws: `ToolFailed` of the kind `library` if the bytes may be a key on P-256, and libcrypto
  ///   is missing.
  public init(_ bytes: [UInt8]) throws(Failure) {
    if let raw = Self.ed25519(bytes) {
      (kind, self.bytes, p256) = (.ed25519, raw, nil)
    } else if let key = try P256PublicKey(bytes) {
      (kind, self.bytes, p256) = (.p256, key.bytes, key)
    } else {
      (kind, self.bytes, p256) = (.opaque, bytes, nil)
    }
  }

  /// The device's id: the first 16 hexadecimal digits of the SHA-256 of ``bytes``.
  public var id: String { String(SHA256Digest.hexadecimal(bytes).prefix(16)) }

  /// Returns `true` if the given signature of the message was made with this key; `false` for an
  /// opaque key.
  ///
  /// - Parameters:
  ///   - signature: The 64 bytes of an Ed25519 signature (RFC 8032), or r and s of ECDSA (RFC 9421,
  ///     3.3.4).
  ///   - message: The signed bytes.
  /// - Returns: `true` if the signature is valid.
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing or fails.
  public func isSignature(_ signature: [UInt8], of message: [UInt8]) throws(Failure) -> Bool {
    switch kind {
    case .ed25519: try Ed25519.isSignature(signature, of: message, by: bytes)
    case .p256: try p256?.isSignature(signature, of: message) ?? false
    case .opaque: false
    }
  }

  // MARK: Text formats

  private static func fromPEM(_ text: String) -> [UInt8]? {
    guard text.hasPrefix("-----BEGIN "),
      let head = text.firstRange(of: "-----\n")
        ?? text
        .firstRange(of: "-----\r\n"),
      let tail = text.range(of: "-----END ")
    else { return nil }
    guard head.upperBound <= tail.lowerBound else { return nil }
    return fromBase64(text[head.upperBound..<tail.lowerBound].filter { !$0.isWhitespace })
  }

  /// Returns the bytes of the key in the given line of OpenSSH (sshd(8), AUTHORIZED_KEYS FILE
  /// FORMAT).
  private static func fromOpenSSH(_ text: String) -> [UInt8]? {
    let words = text.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, let blob = fromBase64(String(words[1])) else { return nil }
    var rest = blob[...]
    guard let name = field(&rest), name.elementsEqual(words[0].utf8) else { return nil }
    switch words[0] {
    case "ssh-ed25519": return field(&rest).map(Array.init)
    case "ecdsa-sha2-nistp256":
      _ = field(&rest)
      return field(&rest).map(Array.init)
    default: return blob
    }
  }

  /// Reads an SSH string (RFC 4251, section 5): a 32-bit length, followed by that many bytes.
  private static func field(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard rest.count >= 4 else { return nil }
    let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard rest.count - 4 >= count else { return nil }
    defer { rest = rest.dropFirst(4 + count) }
    return rest.dropFirst(4).prefix(count)
  }

  /// Decodes base64 in either alphabet (RFC 4648), with or without padding.
  private static func fromBase64(_ text: String) -> [UInt8]? {
    let body = text.replacing("-", with: "+").replacing("_", with: "/").prefix { $0 != "=" }
    let filled = body + String(repeating: "=", count: (4 - body.utf8.count % 4) % 4)
    return Data(base64Encoded: String(filled)).flatMap { $0.isEmpty ? nil : Array($0) }
  }

  /// Returns the 32 bytes of an ed25519 key that is bare or in SubjectPublicKeyInfo (RFC 8410); nil
  /// for any other key.
  private static func ed25519(_ bytes: [UInt8]) -> [UInt8]? {
    let head: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
    let raw = bytes.count == 44 && bytes.starts(with: head) ? Array(bytes.dropFirst(12)) : bytes
    return raw.count == 32 ? raw : nil
  }
}
