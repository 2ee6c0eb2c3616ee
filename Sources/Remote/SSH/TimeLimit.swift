/// When something has to be over.
struct TimeLimit: Sendable {
  private var end: ContinuousClock.Instant?
  /// How long it was from the beginning, in seconds; nil for ever.
  let seconds: Double?

  /// Begins now; nil never ends.
  init(seconds: Double?) {
    self.seconds = seconds
    end = seconds.map { ContinuousClock.now + .seconds($0) }
  }

  /// Leaves time out of account that passed since an instant, while a person was asked.
  mutating func extend(since began: ContinuousClock.Instant) {
    end = end.map { $0 + (ContinuousClock.now - began) }
  }

  /// How long poll(2) may wait, at most as long as given; 0 when it is over.
  func milliseconds(atMost most: Int32 = 60_000) -> Int32 {
    guard let end else { return most }
    let left = (end - ContinuousClock.now) / .milliseconds(1)
    return left <= 0 ? 0 : Int32(min(left.rounded(.up), Double(most)))
  }

  /// Whether the time is over.
  var isOver: Bool { end.map { $0 <= ContinuousClock.now } ?? false }
}
