import Synchronization

/// Counts moments in which nothing happened.
final class TickCount: Sendable {
  private let ticks = Atomic<Int>(0)

  /// Something happened.
  func reset() { ticks.store(0, ordering: .relaxed) }

  /// Counts one.
  ///
  /// - Returns: Whether they are so many, in which case counting begins anew.
  func count(upTo limit: Int) -> Bool {
    guard ticks.wrappingAdd(1, ordering: .relaxed).newValue >= limit else { return false }
    reset()
    return true
  }
}
