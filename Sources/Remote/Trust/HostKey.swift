import Core
import Foundation

/// A host's public key in its wire format (RFC 4253 section 6.6).
///
/// Two keys are equal if they are the same key, even if their numbers are padded differently.
public struct HostKey: Sendable, Hashable {
  /// The bytes of the key, which begin with its algorithm's name.
  public let blob: [UInt8]
  /// The name at the beginning of the bytes, such as `ssh-ed25519`; it may be unknown.
  public let algorithm: String
  /// The normalized key, for comparison.
  private let identity: [UInt8]

  /// Parses a key's bytes; nil if they do not begin with an algorithm's name.
  public init?(blob: [UInt8]) {
    var strings = WireStrings(blob[...])
    guard let name = strings.next(), (1...64).contains(name.count), !strings.isAtEnd,
      name.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ",") })
    else { return nil }
    self.blob = blob
    algorithm = String(decoding: name, as: UTF8.self)
    identity = Self.identity(algorithm, strings) ?? blob
  }

  /// Parses a key in base64; white space in it is skipped, as OpenSSH does.
  ///
  /// - Returns: Nil for a text that is no padded base64, or no key.
  public init?(base64: some Sequence<UInt8>) {
    let digits = base64.filter { !(0x09...0x0D ~= $0 || $0 == 0x20) }
    // The round trip rejects stray bits, which the decoder accepts.
    guard let data = Data(base64Encoded: Data(digits)),
      data.base64EncodedData() == Data(digits)
    else { return nil }
    self.init(blob: Array(data))
  }

  /// The key in base64, as in text files.
  public var base64: String { Data(blob).base64EncodedString() }

  /// The SHA-256 of the key, as OpenSSH prints it: `SHA256:` and 43 characters.
  public var fingerprint: String { "SHA256:" + SHA256Digest.base64(blob) }

  /// `true` for a certificate over a key, which is neither requested nor trusted.
  public var isCertificate: Bool { algorithm.contains("-cert-v") }

  /// Returns `true` if both are the same key.
  public static func == (one: HostKey, other: HostKey) -> Bool { one.identity == other.identity }

  /// Hashes the normalized key.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

  /// Returns the key type of an algorithm: one type of key has several names of signatures.
  static func family(_ algorithm: String) -> String {
    switch algorithm {
    case "rsa-sha2-256", "rsa-sha2-512": "ssh-rsa"
    case "webauthn-sk-ecdsa-sha2-nistp256@openssh.com": "sk-ecdsa-sha2-nistp256@openssh.com"
    default: algorithm
    }
  }

  /// Returns the numbers of a key without leading zeros; nil for other keys.
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

/// Consecutive strings, each after its length in four bytes (RFC 4251 section 5).
struct WireStrings {
  private var rest: ArraySlice<UInt8>

  /// Starts at the first of some bytes.
  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Returns the four bytes of a number.
  static func number(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// Returns a string after its length.
  static func string(_ bytes: [UInt8]) -> [UInt8] { number(UInt32(bytes.count)) + bytes }

  /// `true` if nothing is left.
  var isAtEnd: Bool { rest.isEmpty }

  /// Skips bytes.
  ///
  /// - Returns: `true` if there were enough.
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
