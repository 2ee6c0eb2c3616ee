import Core
import Foundation
import Keys

/// A hashed host name: `|1|salt|HMAC-SHA1 of the name`, both in base64.
enum HashedName {
  private static let saltLength = 20

  /// Returns `true` if `text` is the hash of `name`, in the only spelling that OpenSSH accepts.
  static func matches(_ name: [UInt8], _ text: ArraySlice<UInt8>) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
    guard parts.count == 4, let salt = Data(base64Encoded: Data(parts[2])),
      salt.count == saltLength
    else { return false }
    return Self.text(name, salt: Array(salt)).utf8.elementsEqual(text)
  }

  /// Returns the hash of the given name and salt, as text.
  static func text(_ name: [UInt8], salt: [UInt8]) -> String {
    let code = HMACSHA1.code(of: name, key: salt)
    return "|1|\(Data(salt).base64EncodedString())|\(Data(code).base64EncodedString())"
  }
}
