import Core
import Foundation
import Watching

/// Takes events into what is known of all agents, on a thread of its own, a moment behind the log.
final class HubKeeper: Sendable {
  private let watcher: Watcher
  private let end = Interruption()
  private let isDone = DispatchSemaphore(value: 0)
  /// How often it looks, in milliseconds.
  private static let pause: Int32 = 250

  /// Begins.
  init(_ watcher: Watcher) {
    self.watcher = watcher
    Thread.detachNewThread { [self] in
      work()
      isDone.signal()
    }
  }

  /// Takes in what came last, and ends.
  func close() {
    end.fire(signal: SIGTERM)
    isDone.wait()
  }

  private func work() {
    var hasFailed = false
    while true {
      let isLast = end.signal != nil
      do throws(Failure) {
        try watcher.catchUp()
        hasFailed = false
      } catch {
        if !hasFailed { Diagnostics.shared.say("events are not watched: \(error.explanation)") }
        hasFailed = true
      }
      guard !isLast else { return }
      // Being asked to end is what the wait is ended by.
      _ = try? end.isReadable(-1, within: Self.pause)
    }
  }
}
