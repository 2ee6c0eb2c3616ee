import Core
import Storage
import Tokens

/// The check of registration codes, inside a transaction.
extension DeviceDesk {
  /// Returns the reason to refuse every code; nil unless too many wrong ones were tried in the last
  /// minute.
  static func limit(in rows: any Rows, at now: Timestamp) throws(Failure) -> Failure? {
    try GuessLimit.registration.wait(in: rows, at: now).map {
      Failure(.rateLimited, "too many wrong codes", retryAfterSeconds: $0.rounded(.up))
    }
  }

  /// Returns the given code if it is valid, or else the reason to refuse it.
  ///
  /// The limit is checked in the transaction that counts a wrong code, because several hubs count.
  static func check(
    code text: String, in rows: any Rows, at now: Timestamp
  ) throws(Failure) -> Result<RegisterCode, Failure> {
    if let failure = try limit(in: rows, at: now) { return .failure(failure) }
    var failure = invalidCode
    if let code = RegisterCode(text) {
      guard let refusal = try refusal(of: code, in: rows, at: now) else { return .success(code) }
      failure = refusal
    }
    if failure.code == .pairingCodeInvalid {
      _ = try GuessLimit.registration.count(in: rows, at: now)
    }
    return .failure(failure)
  }

  /// Returns the reason to refuse the given code; nil if it is valid.
  ///
  /// A wrong attempt is counted.
  private static func refusal(
    of code: RegisterCode, in rows: any Rows, at now: Timestamp
  ) throws(Failure) -> Failure? {
    guard let row = try rows.code(code.word) else { return invalidCode }
    guard row.tries < mostTries else { return invalidCode }
    guard AccessToken.areEqual(row.digest, code.digest) else {
      try rows.countTry(code)
      return invalidCode
    }
    guard row.expiresAt > now else {
      return Failure(
        .pairingCodeExpired, "the registration code expired: it is valid for ten minutes")
    }
    return nil
  }

  private static let invalidCode = Failure(
    .pairingCodeInvalid, "the registration code is unknown or already used")
}
