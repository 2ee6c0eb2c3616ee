import Synchronization

/// The time limit of a request, which messages about the request extend.
final class Patience: Sendable {
  private let limit: Duration
  /// The instant at which the time is over; nil while the server waits for us.
  private let end: Mutex<ContinuousClock.Instant?>

  /// Creates a limit that begins now.
  init(_ limit: Duration) {
    self.limit = limit
    end = Mutex(.now + limit)
  }

  /// Begins the time anew.
  func extend() { end.withLock { $0 = .now + limit } }

  /// Stops the time until ``extend()``.
  func pause() { end.withLock { $0 = nil } }

  /// Waits until the time is over.
  ///
  /// - Returns: `false` if the task was cancelled before.
  func runOut() async -> Bool {
    while !Task.isCancelled {
      let now = ContinuousClock.now
      let until = end.withLock { $0 } ?? now + limit
      if until <= now { return true }
      try? await Task.sleep(until: until, clock: .continuous)
    }
    return false
  }
}
