/// A deadline.
struct TimeLimit: Sendable {
  private var end: ContinuousClock.Instant?
  /// The whole time, in seconds; nil for no limit.
  let seconds: Double?

  /// Starts a time limit now; nil never ends.
  init(seconds: Double?) {
    self.seconds = seconds
    end = seconds.map { ContinuousClock.now + .seconds($0) }
  }

  /// Extends the limit by the time since an instant, while a user was prompted.
  mutating func extend(since began: ContinuousClock.Instant) {
    end = end.map { $0 + (ContinuousClock.now - began) }
  }

  /// Returns the timeout for poll(2), capped; 0 if the time is up.
  func milliseconds(atMost most: Int32 = 60_000) -> Int32 {
    guard let end else { return most }
    let left = (end - ContinuousClock.now) / .milliseconds(1)
    return left <= 0 ? 0 : Int32(min(left.rounded(.up), Double(most)))
  }

  /// `true` if the time is up.
  var isOver: Bool { end.map { $0 <= ContinuousClock.now } ?? false }
}
