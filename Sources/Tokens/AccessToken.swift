import Core
import Crypto
import Foundation

/// The tokens that a hub gives out: 256 random bits behind a word that tells what it is good for.
///
/// The words hold a digit, so that whatever looks for secrets (`SecretShape`) knows each of them.
public enum AccessToken: String, Sendable, CaseIterable {
  /// Comes with each request.
  case access = "ap1a_"
  /// Gets the next pair.
  case refresh = "ap1r_"
  /// The operator's own on the hub's machine.
  case owner = "ap1o_"

  /// A new token; it is known to be a secret.
  public func make() -> String {
    let random = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
    let token =
      rawValue
      + random.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .prefix { $0 != "=" }
    Secrets.register(token)
    return token
  }

  /// What a text is by its form; nil where it is no token.
  public static func kind(_ text: String) -> AccessToken? {
    // 32 bytes are 43 characters of base64.
    guard text.utf8.count == 48, let kind = allCases.first(where: { text.hasPrefix($0.rawValue) }),
      text.utf8.dropFirst(5).allSatisfy({
        $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      })
    else { return nil }
    return kind
  }

  /// The token of an `Authorization` field (RFC 6750, section 2.1); nil where there is none.
  public static func bearer(_ field: String) -> String? {
    let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    let token = parts[1].trimmingCharacters(in: .whitespaces)
    return token.isEmpty ? nil : token
  }

  /// What is kept of a token: its SHA-256, 32 bytes.
  package static func digest(_ text: String) -> [UInt8] {
    Array(SHA256.hash(data: Data(text.utf8)))
  }

  /// Whether two byte strings are equal, in a time that does not tell where they differ.
  package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(left, right) { difference |= one ^ other }
    return difference == 0
  }
}
