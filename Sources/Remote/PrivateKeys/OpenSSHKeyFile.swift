import Foundation
import Keys

/// The format `openssh-key-v1` (PROTOCOL.key of OpenSSH).
///
/// Keys are Ed25519 keys without a passphrase.
enum OpenSSHKeyFile {
  private static let magic = Array("openssh-key-v1\0".utf8)
  private static let algorithm = Array("ssh-ed25519".utf8)

  /// Returns the text of a key file with the given key.
  ///
  /// - Parameters:
  ///   - seed: The 32 bytes of the private seed.
  ///   - publicKey: The 32 bytes of the public key.
  /// - Returns: The text of the file.
  static func text(seed: [UInt8], publicKey: [UInt8]) -> String {
    let (number, string) = (WireStrings.number, WireStrings.string)
    let blob = string(algorithm) + string(publicKey)
    // A reader compares these two equal numbers to check the decryption. Nothing is encrypted here.
    var secret = number(0) + number(0) + blob + string(seed + publicKey) + string([])
    var padding: UInt8 = 1
    while secret.count % 8 != 0 {
      secret.append(padding)
      padding += 1
    }
    let none = Array("none".utf8)
    let bytes =
      magic + string(none) + string(none) + string([]) + number(1) + string(blob) + string(secret)
    let lines = Data(bytes).base64EncodedString(options: [
      .lineLength64Characters, .endLineWithLineFeed,
    ])
    return "-----BEGIN OPENSSH PRIVATE KEY-----\n\(lines)\n-----END OPENSSH PRIVATE KEY-----\n"
  }

  /// Returns `true` if the key file with the given text is encrypted, in this format or an older
  /// one.
  static func isEncrypted(_ text: String) -> Bool {
    if text.contains("ENCRYPTED") { return true }
    guard text.contains("OPENSSH PRIVATE KEY"), let bytes = decoded(text), bytes.starts(with: magic)
    else { return false }
    var parts = WireStrings(bytes.dropFirst(magic.count))
    return parts.next().map { !$0.elementsEqual("none".utf8) } ?? false
  }

  /// Returns the public half of the key file with the given text; nil for an older format.
  ///
  /// In this format, the public half is never encrypted.
  static func publicKey(_ text: String) -> HostKey? {
    guard text.contains("OPENSSH PRIVATE KEY"), let bytes = decoded(text), bytes.starts(with: magic)
    else { return nil }
    var parts = WireStrings(bytes.dropFirst(magic.count))
    // The next fields: the cipher, the key derivation, its options, and the number of keys.
    guard parts.next() != nil, parts.next() != nil, parts.next() != nil, parts.skip(4),
      let blob = parts.next()
    else { return nil }
    return HostKey(blob: Array(blob))
  }

  /// Returns the 32-byte seed in the key file with the given text.
  ///
  /// It is nil if the file is encrypted or holds no Ed25519 key.
  static func seed(_ text: String) -> [UInt8]? {
    guard let bytes = decoded(text), bytes.starts(with: magic) else { return nil }
    var parts = WireStrings(bytes.dropFirst(magic.count))
    guard parts.next()?.elementsEqual("none".utf8) == true, parts.next() != nil, parts.next() != nil
    else { return nil }
    // The next fields: the number of keys, and the public half.
    guard parts.skip(4), parts.next() != nil, let secret = parts.next() else { return nil }
    var inner = WireStrings(secret)
    guard inner.skip(8), inner.next()?.elementsEqual(algorithm) == true, inner.next() != nil,
      let both = inner.next(), both.count == 64
    else { return nil }
    return Array(both.prefix(32))
  }

  private static func decoded(_ text: String) -> ArraySlice<UInt8>? {
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
    return Data(base64Encoded: lines.joined()).map { Array($0)[...] }
  }
}
