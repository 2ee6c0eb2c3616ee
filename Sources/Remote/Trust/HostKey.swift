import Core
import Foundation

/// A host's public key in its wire format (RFC 4253 section 6.6).
///
/// Two keys are equal even if the padding of their numbers differs.
public struct HostKey: Sendable, Hashable {
  /// The bytes of the key, which begin with its algorithm's name.
  public let blob: [UInt8]
  /// The name of the key's algorithm, such as `ssh-ed25519`.
  ///
  /// It may be unknown.
  public let algorithm: String
  /// The key in a normalized form, for comparison.
  private let identity: [UInt8]

  /// Parses the given bytes; returns nil if they do not begin with an algorithm's name.
  public init?(blob: [UInt8]) {
    var strings = WireStrings(blob[...])
    guard let name = strings.next(), (1...64).contains(name.count), !strings.isAtEnd,
      name.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ",") })
    else { return nil }
    self.blob = blob
    algorithm = String(decoding: name, as: UTF8.self)
    identity = Self.identity(algorithm, strings) ?? blob
  }

  /// Parses a key in base64; returns nil if the text is not padded base64 or not a key.
  ///
  /// White space is skipped, as in OpenSSH.
  public init?(base64: some Sequence<UInt8>) {
    let digits = base64.filter { !(0x09...0x0D ~= $0 || $0 == 0x20) }
    // Encoding the result again detects stray bits, which the decoder accepts.
    guard let data = Data(base64Encoded: Data(digits)),
      data.base64EncodedData() == Data(digits)
    else { return nil }
    self.init(blob: Array(data))
  }

  /// The key in base64, as OpenSSH's files contain it.
  public var base64: String { Data(blob).base64EncodedString() }

  /// The SHA-256 fingerprint of the key, as OpenSSH prints it: `SHA256:` and 43 characters.
  public var fingerprint: String { "SHA256:" + SHA256Digest.base64(blob) }

  /// `true` if this is a certificate for a key.
  ///
  /// Certificates are neither requested nor trusted.
  public var isCertificate: Bool { algorithm.contains("-cert-v") }

  /// Returns `true` if both keys are the same, regardless of the padding of their numbers.
  public static func == (one: HostKey, other: HostKey) -> Bool { one.identity == other.identity }

  /// Hashes the normalized key.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

  /// Returns the key type for the given signature algorithm.
  ///
  /// Several algorithms may use one key type.
  static func family(_ algorithm: String) -> String {
    switch algorithm {
    case "rsa-sha2-256", "rsa-sha2-512": "ssh-rsa"
    case "webauthn-sk-ecdsa-sha2-nistp256@openssh.com": "sk-ecdsa-sha2-nistp256@openssh.com"
    default: algorithm
    }
  }

  /// Returns the key without leading zeros in its numbers; nil if keys of this type have no such
  /// numbers.
  private static func identity(_ algorithm: String, _ parts: WireStrings) -> [UInt8]? {
    let family = family(algorithm)
    guard let count = ["ssh-rsa": 2, "ssh-dss": 4][family] else { return nil }
    var strings = parts
    var identity = Array(family.utf8)
    for _ in 0..<count {
      // A number with its first bit set would be negative.
      guard let number = strings.next(), number.first ?? 0 < 0x80 else { return nil }
      let digits = number.drop { $0 == 0 }
      identity += [0] + Array("\(digits.count):".utf8) + digits
    }
    return strings.isAtEnd ? identity : nil
  }
}

/// A sequence of strings, each preceded by its length in four bytes (RFC 4251, section 5).
struct WireStrings {
  private var rest: ArraySlice<UInt8>

  /// Creates a reader of the strings in the given bytes.
  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Returns the given number as four bytes.
  static func number(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// Returns the given bytes preceded by their length.
  static func string(_ bytes: [UInt8]) -> [UInt8] { number(UInt32(bytes.count)) + bytes }

  /// `true` if all bytes were read.
  var isAtEnd: Bool { rest.isEmpty }

  /// Skips the given number of bytes.
  ///
  /// - Returns: `true` if there were enough bytes.
  mutating func skip(_ count: Int) -> Bool {
    guard rest.count >= count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  /// Returns the next string; nil if it is missing or incomplete.
  mutating func next() -> ArraySlice<UInt8>? {
    guard rest.count >= 4 else { return nil }
    let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard rest.count - 4 >= length else { return nil }
    let string = rest.dropFirst(4).prefix(length)
    rest = rest.dropFirst(4 + length)
    return string
  }
}
