import Synchronization

/// The time limit of a request, which messages about the request extend.
final class Patience: Sendable {
  private let time: Duration
  /// The limit; nil while the server waits for us.
  private let limit: Mutex<RequestLimit?>

  /// Creates a limit that begins now.
  init(_ time: Duration) {
    self.time = time
    limit = Mutex(RequestLimit(time))
  }

  /// Begins the time anew.
  func extend() {
    limit.withLock { limit in
      if limit == nil { limit = RequestLimit(time) } else { limit?.extend() }
    }
  }

  /// Stops the time until ``extend()``.
  func pause() { limit.withLock { $0 = nil } }

  /// Waits until the time is over.
  ///
  /// - Returns: `false` if the task was cancelled before.
  func runOut() async -> Bool {
    while !Task.isCancelled {
      let now = ContinuousClock.now
      let until = limit.withLock { $0?.deadline } ?? now + time
      if until <= now { return true }
      try? await Task.sleep(until: until, clock: .continuous)
    }
    return false
  }
}
