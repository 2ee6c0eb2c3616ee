import Core

/// A token that ends, and how to get another: what a server answers 401 to is then no wrong key.
struct RenewableToken: Sendable, Hashable {
  /// When it ends, where that is known.
  var expiresAt: Timestamp?
  /// What its owner does for another one, as an imperative.
  var remedy: String

  /// The failure of a request that the token was refused for.
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
