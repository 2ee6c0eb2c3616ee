import Core
import Cryptography
import Foundation

/// A hashed host name: `|1|SALT|HASH`.
///
/// The hash is the HMAC-SHA1 of the name. Both parts are in base64.
enum HashedName {
  private static let saltLength = 20

  /// Returns `true` if `text` is the hash of `name`.
  ///
  /// Only the spelling that OpenSSH accepts is recognized.
  ///
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto is missing.
  static func matches(_ name: [UInt8], _ text: ArraySlice<UInt8>) throws(Failure) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
    guard parts.count == 4, let salt = Data(base64Encoded: Data(parts[2])),
      salt.count == saltLength
    else { return false }
    return try Self.text(name, salt: Array(salt)).utf8.elementsEqual(text)
  }

  /// Returns the hashed form of the given name, for the given salt.
  private static func text(_ name: [UInt8], salt: [UInt8]) throws(Failure) -> String {
    let code = try LibCrypto.code(.sha1, of: name, key: salt)
    return "|1|\(Data(salt).base64EncodedString())|\(Data(code).base64EncodedString())"
  }
}
