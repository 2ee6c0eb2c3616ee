/// The backoff before a lost connection is replaced.
///
/// After the first losses of a minute, the new connection follows at once. Further losses wait from
/// 0.2 to 10 seconds, so that a host that ends every connection sees a dozen of them a minute.
struct LossPauses {
  private static let free = 5
  private static let memory = Duration.seconds(60)

  private var losses: [ContinuousClock.Instant] = []

  /// Returns the seconds to wait after a loss.
  mutating func pause(afterLossAt now: ContinuousClock.Instant) -> Double {
    losses.removeAll { now - $0 >= Self.memory }
    losses.append(now)
    let further = losses.count - Self.free
    return further <= 0 ? 0 : Self.pause(further)
  }

  /// Returns the seconds to wait after a number of consecutive failures.
  static func pause(_ failures: Int) -> Double {
    var pause = 0.2
    for _ in 1..<max(1, min(failures, 8)) { pause *= 2 }
    return min(pause, 10)
  }
}
