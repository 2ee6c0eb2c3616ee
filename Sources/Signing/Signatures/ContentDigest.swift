public import Core
import Cryptography
import Foundation
import RawStructuredFieldValues

/// The `Content-Digest` field (RFC 9530): digests of a message's body.
public enum ContentDigest {
  /// Returns the field value for the given body: its SHA-256.
  public static func field(_ body: [UInt8]) -> String {
    "sha-256=:\(Data(SHA256Digest.bytes(body)).base64EncodedString()):"
  }

  /// Returns `true` if the given field matches the given body.
  ///
  /// The field must have at least one digest of a known algorithm, and all such digests must be
  /// correct.
  ///
  /// - Throws: `ToolFailed` of the kind `library` if libcrypto, which computes SHA-512, is missing.
  public static func matches(_ field: String, _ body: [UInt8]) throws(Failure) -> Bool {
    var parser = StructuredFieldValueParser(Array(field.utf8))
    guard let digests = try? parser.parseDictionaryFieldValue() else { return false }
    var judged = 0
    for (name, value) in digests {
      let right: [UInt8]
      switch name {
      case "sha-256": right = SHA256Digest.bytes(body)
      case "sha-512": right = try LibCrypto.digest(.sha512, of: body)
      default: continue
      }
      guard case .item(let item) = value,
        case .undecodedByteSequence(let text) = item.rfc9651BareItem,
        Data(base64Encoded: text).map(Array.init) == right
      else { return false }
      judged += 1
    }
    return judged > 0
  }
}
