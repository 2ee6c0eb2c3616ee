public import Core
import Events
import Foundation

/// Keeps what is known up to date for as long as a tool works, on a thread of its own.
public final class WatchKeeper: Sendable {
  private let directories: Directories
  private let end = Interruption()
  private let isDone = DispatchSemaphore(value: 0)

  /// How often it looks, in milliseconds.
  private static let pause: Int32 = 1000

  /// Begins.
  public init(_ directories: Directories) {
    self.directories = directories
    Thread.detachNewThread { [self] in
      work()
      isDone.signal()
    }
  }

  /// Takes in what came last, and ends.
  public func close() {
    end.fire(signal: SIGTERM)
    isDone.wait()
  }

  private func work() {
    var watcher: Watcher?
    var hasFailed = false
    while true {
      let isLast = end.signal != nil
      do throws(Failure) {
        if watcher == nil, let journal = try EventJournal(existingIn: directories),
          let store = try Store(existingIn: directories)
        {
          watcher = Watcher(store: store, journal: journal)
        }
        try watcher?.catchUp()
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
