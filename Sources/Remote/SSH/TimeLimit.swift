/// A deadline that can be extended.
struct TimeLimit: Sendable {
  private var end: ContinuousClock.Instant?
  /// The initial duration of the limit in seconds; nil for no limit.
  let seconds: Double?

  /// Starts a limit of the given number of seconds now; nil for no limit.
  init(seconds: Double?) {
    self.seconds = seconds
    end = seconds.map { ContinuousClock.now + .seconds($0) }
  }

  /// Extends the limit by the time since `began`, for example because the user answered a prompt.
  mutating func extend(since began: ContinuousClock.Instant) {
    end = end.map { $0 + (ContinuousClock.now - began) }
  }

  /// Returns the remaining time for poll(2) in milliseconds, at most `most`; 0 if the limit has
  /// expired.
  func milliseconds(atMost most: Int32 = 60_000) -> Int32 {
    guard let end else { return most }
    let left = (end - ContinuousClock.now) / .milliseconds(1)
    return left <= 0 ? 0 : Int32(min(left.rounded(.up), Double(most)))
  }

  /// `true` if the limit has expired.
  var isOver: Bool { end.map { $0 <= ContinuousClock.now } ?? false }
}
