import Core

/// A token that expires.
///
/// Status 401 may therefore mean that the token has expired, and not that the key is wrong.
struct RenewableToken: Sendable, Hashable {
  /// The time of expiry, if known.
  var expiresAt: Timestamp?
  /// The instruction for renewing the token, as an imperative for the user.
  var remedy: String

  /// Returns the given failure, changed to report that the server refused this token.
  func failure(_ refused: Failure) -> Failure {
    var failure = refused
    failure.code = .authExpired
    let end =
      expiresAt.map { $0 <= .now ? ", which expired at \($0.iso8601)" : "" }
      ?? ", which may have expired"
    failure.explanation = "'\(refused.url ?? "the server")' refused the token\(end)"
    failure.nextStep = remedy
    return failure
  }
}
