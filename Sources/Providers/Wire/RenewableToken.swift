import Core

/// A token that expires; a 401 then does not mean a wrong key.
struct RenewableToken: Sendable, Hashable {
  /// The time of expiry, if known.
  var expiresAt: Timestamp?
  /// The instruction for its owner to renew it, as an imperative.
  var remedy: String

  /// Returns the failure of a request whose token was refused.
  func failure(_ refused: Failure) -> Failure {
    var failure = refused
    failure.code = .authExpired
    let end =
      expiresAt.map { $0 <= .now ? ", which expired at \($0.iso8601)" : "" }
      ?? ", which may have expired"
    failure.explanation =
      "'\(refused.url ?? "the server")' refused the token\(end): \(remedy)"
    return failure
  }
}
