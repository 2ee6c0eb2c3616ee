import Core
import Crypto
import Foundation

/// The public key of a device, read from the text that the device sends.
///
/// A key identifies the same device in every format: bare, SubjectPublicKeyInfo, PEM, or a line of
/// OpenSSH.
public struct DeviceKey: Sendable, Hashable {
  /// The algorithm of a key.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// Ed25519 signatures (RFC 8032).
    case ed25519
    /// ECDSA signatures on P-256 with SHA-256.
    case p256 = "ecdsa-p256-sha256"
    /// A key that identifies a device but cannot sign.
    case opaque
  }

  /// The size limit of a key's text in bytes.
  public static let longestText = 4096

  /// The algorithm.
  public let kind: Kind
  /// The 32 bytes of an ed25519 key, an uncompressed point of P-256, or the decoded text.
  public let bytes: [UInt8]

  /// Creates a key from the given text; nil if the text is empty or over 4 kB.
  public init?(_ text: String) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, text.utf8.count <= Self.longestText else { return nil }
    let decoded =
      Self.fromPEM(text) ?? Self.fromOpenSSH(text) ?? Self.fromBase64(text) ?? Array(text.utf8)
    self.init(decoded)
  }

  /// Creates a key from the given decoded or stored bytes.
  public init(_ bytes: [UInt8]) {
    if let raw = Self.ed25519(bytes) {
      (kind, self.bytes) = (.ed25519, raw)
    } else if let point = Self.p256(bytes) {
      (kind, self.bytes) = (.p256, Array(point.x963Representation))
    } else {
      (kind, self.bytes) = (.opaque, bytes)
    }
  }

  /// The device's id: the first 16 hexadecimal digits of the SHA-256 of ``bytes``.
  public var id: String { String(SHA256Digest.hexadecimal(bytes).prefix(16)) }

  /// Returns `true` if this key made the signature of the given message; always `false` for an
  /// opaque key.
  ///
  /// - Parameters:
  ///   - signature: The signature, 64 bytes: RFC 8032's, or r and s of ECDSA (RFC 9421, 3.3.4).
  ///   - message: The signed bytes.
  /// - Returns: `true` if the signature is valid.
  public func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    switch kind {
    case .ed25519:
      let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
      return key?.isValidSignature(signature, for: message) ?? false
    case .p256:
      guard let key = Self.p256(bytes),
        let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
      else { return false }
      return key.isValidSignature(signature, for: SHA256.hash(data: message))
    case .opaque:
      return false
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

  /// Returns the bytes of the key in the given line, which has OpenSSH's format (sshd(8),
  /// AUTHORIZED_KEYS FILE FORMAT).
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

  /// Reads an SSH string (RFC 4251, section 5): a length of 32 bits, and the bytes.
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

  /// Returns a P-256 key that is bare, compressed, or in SubjectPublicKeyInfo (RFC 5480); nil for
  /// any other key.
  private static func p256(_ bytes: [UInt8]) -> P256.Signing.PublicKey? {
    switch bytes.count {
    case 33: try? P256.Signing.PublicKey(compressedRepresentation: bytes)
    case 65: try? P256.Signing.PublicKey(x963Representation: bytes)
    default: try? P256.Signing.PublicKey(derRepresentation: bytes)
    }
  }
}
