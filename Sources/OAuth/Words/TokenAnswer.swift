import Core

/// The tokens in the answer of a token endpoint (RFC 6749, section 5.1).
struct TokenAnswer: Sendable {
  private static let longest = 16 << 10
  private static let longestLife: Double = 10 * 366 * 86_400

  let access: String
  let refresh: String?
  /// The seconds until the access token expires; nil if the server names none.
  let lifetime: Double?

  /// Parses the given answer.
  ///
  /// - Throws: `InvalidResponse` if it has no bearer token that a field can carry.
  init(_ answer: JSONObject, from url: ServerURL) throws(Failure) {
    guard answer.string("token_type")?.lowercased() == "bearer",
      let access = answer.string("access_token"), Self.isToken(access),
      answer.string("refresh_token").map(Self.isToken) ?? true
    else {
      throw Failure(
        .invalidResponse, "'\(url.shown)' issued no usable token",
        kind: .malformed, url: url.shown)
    }
    (self.access, refresh) = (access, answer.string("refresh_token"))
    lifetime = answer.number("expires_in").map { min(max($0, 0), Self.longestLife) }
    Secrets.register(access)
    if let refresh { Secrets.register(refresh) }
  }

  private static func isToken(_ text: String) -> Bool {
    (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
