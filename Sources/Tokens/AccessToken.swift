import Core
import Cryptography
import Foundation

/// A kind of token that a hub issues.
///
/// A token consists of a prefix that names its purpose, and 256 random bits. The prefixes contain a
/// digit, so that `SecretShape` recognizes each token.
public enum AccessToken: String, Sendable, CaseIterable {
  /// A token that authenticates a request.
  case access = "ap1a_"
  /// A token that obtains the next pair of access and refresh tokens.
  case refresh = "ap1r_"
  /// A token in the cookie of a browser. It is valid for the hub's page alone.
  case browser = "ap1b_"
  /// A token in the cookie of a browser on the hub's machine, without TLS.
  ///
  /// It is valid for the hub's page alone, and for the hub's own user alone: browsers send the
  /// cookie to every port of the machine, also to those of other users.
  case ownBrowser = "ap1l_"
  /// A token that the hub's operator uses on the hub's own machine.
  case owner = "ap1o_"

  /// Returns a new token of this kind, and registers it as a secret.
  public func make() -> String {
    let token = rawValue + Base64URL.text(RandomBytes.make(32))
    Secrets.register(token)
    return token
  }

  /// Returns the kind of the given token, as its prefix names it; nil if the text is not a token.
  public static func kind(_ text: String) -> AccessToken? {
    // 32 bytes are 43 characters of base64.
    guard text.utf8.count == 48, let kind = allCases.first(where: { text.hasPrefix($0.rawValue) }),
      text.utf8.dropFirst(5).allSatisfy({
        $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      })
    else { return nil }
    return kind
  }

  /// Returns the token in the given `Authorization` field (RFC 6750); nil if there is none.
  ///
  /// `%20` counts as a space, because Claude Code does not decode `OTEL_EXPORTER_OTLP_HEADERS` for
  /// OTLP over HTTP. No token contains `%`.
  public static func bearer(_ field: String) -> String? {
    let parts = field.replacing("%20", with: " ")
      .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    let token = parts[1].trimmingCharacters(in: .whitespaces)
    return token.isEmpty ? nil : token
  }

  /// Returns the SHA-256 of the given token.
  ///
  /// A hub stores this digest instead of the token.
  package static func digest(_ text: String) -> [UInt8] {
    SHA256Digest.bytes(Array(text.utf8))
  }

  /// Returns `true` if the given byte strings are equal, in constant time.
  ///
  /// The time does not depend on where they differ.
  package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(left, right) { difference |= one ^ other }
    return difference == 0
  }
}
