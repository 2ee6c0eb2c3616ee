import Core
import Foundation
import Keys

/// A host's name that is recorded without being told: `|1|salt|HMAC-SHA1 of the name`, both in
/// base64.
enum HashedName {
  private static let saltLength = 20

  /// Whether the text is the hash of a name, in the one spelling that OpenSSH takes for it.
  static func matches(_ name: [UInt8], _ text: ArraySlice<UInt8>) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
    guard parts.count == 4, let salt = Data(base64Encoded: Data(parts[2])),
      salt.count == saltLength
    else { return false }
    return Self.text(name, salt: Array(salt)).utf8.elementsEqual(text)
  }

  /// The text that stands for a name.
  static func text(_ name: [UInt8], salt: [UInt8]) -> String {
    let code = HMACSHA1.code(of: name, key: salt)
    return "|1|\(Data(salt).base64EncodedString())|\(Data(code).base64EncodedString())"
  }
}
