/// The backoff before a lost connection is replaced by a new one.
///
/// The first losses within a minute cause no pause. After further losses, the pause grows from 0.2
/// to 10 seconds. A host that ends every connection therefore sees about a dozen attempts per
/// minute.
struct LossPauses {
  private static let free = 5
  private static let memory = Duration.seconds(60)

  private var losses: [ContinuousClock.Instant] = []

  /// Returns the number of seconds to wait after a connection was lost at the given time.
  mutating func pause(afterLossAt now: ContinuousClock.Instant) -> Double {
    losses.removeAll { now - $0 >= Self.memory }
    losses.append(now)
    let further = losses.count - Self.free
    return further <= 0 ? 0 : Self.pause(further)
  }

  /// Returns the number of seconds to wait after the given number of consecutive failures.
  static func pause(_ failures: Int) -> Double {
    var pause = 0.2
    for _ in 1..<max(1, min(failures, 8)) { pause *= 2 }
    return min(pause, 10)
  }
}
