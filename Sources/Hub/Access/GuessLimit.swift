import Core
import Storage

/// A limit on the wrong codes that hubs accept in a period, from all senders together.
///
/// Hubs that share their records share the count.
struct GuessLimit: Sendable {
  /// The name of the limit in the store.
  let name: String
  /// The number of wrong codes after which no further one is accepted.
  let most: Int
  /// The number of seconds for which a wrong code counts.
  let window: Double

  /// The limit on codes that register devices.
  ///
  /// While codes are being guessed, only registration is blocked. A code has 50 random bits and is
  /// valid for ten minutes. With 20 attempts per minute, the chance to guess it is one in five
  /// million million.
  static let registration = GuessLimit(name: "registration", most: 20, window: 60)
  /// The limit on typed digits that pair companions.
  static let pairing = GuessLimit(name: "pairing", most: 5, window: 600)

  /// Returns the time until another code is accepted.
  ///
  /// - Returns: The number of seconds; nil if a code is accepted now.
  /// - Throws: `StorageFailed` if the store cannot be read.
  func wait(in rows: any Rows, at now: Timestamp) throws(Failure) -> Double? {
    let guesses = try rows.values(
      Int64.self, "SELECT at FROM companionGuess WHERE name = ? AND at > ? AND at <= ? ORDER BY at",
      [name, now.adding(seconds: -window).milliseconds, now.milliseconds])
    guard guesses.count >= most, let first = guesses.first else { return nil }
    return max(1, window - now.seconds(since: Timestamp(milliseconds: first)))
  }

  /// Counts a wrong code, and forgets those that no longer count.
  ///
  /// - Returns: The id of the guess, for ``remove(_:in:)``.
  /// - Throws: `StorageFailed` if the store cannot be written.
  func count(in rows: any Rows, at now: Timestamp) throws(Failure) -> Int64? {
    try rows.run(
      "DELETE FROM companionGuess WHERE name = ? AND at < ?",
      [name, now.adding(seconds: -window).milliseconds])
    return try rows.value(
      Int64.self, "INSERT INTO companionGuess (name, at) VALUES (?, ?) RETURNING id",
      [name, now.milliseconds])
  }

  /// Removes the given guess from the count, because it was correct.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  static func remove(_ guess: Int64?, in rows: any Rows) throws(Failure) {
    try rows.run("DELETE FROM companionGuess WHERE id = ?", [guess])
  }

  /// Returns the number of codes that count at the given time.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  func number(in rows: any Rows, at now: Timestamp) throws(Failure) -> Int {
    try rows.value(
      Int.self, "SELECT count(*) FROM companionGuess WHERE name = ? AND at > ? AND at <= ?",
      [name, now.adding(seconds: -window).milliseconds, now.milliseconds]) ?? 0
  }
}
