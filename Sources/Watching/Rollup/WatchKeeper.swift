public import Core
import Events
import Foundation

/// Keeps what is known up to date for as long as a tool works, on a thread of its own.
public final class WatchKeeper: Sendable {
  /// Gives what is kept up to date; nil as long as there is nothing to watch.
  private let find: @Sendable () throws(Failure) -> Watcher?
  private let end = Interruption()
  private let isDone = DispatchSemaphore(value: 0)

  /// How often it looks, in milliseconds.
  private let pause: Int32

  /// Begins, with the store and the log of some directories, once they are there.
  public convenience init(_ directories: Directories) {
    self.init(every: 1000) { () throws(Failure) in
      guard let journal = try EventJournal(existingIn: directories),
        let store = try Store(existingIn: directories)
      else { return nil }
      return Watcher(store: store, journal: journal)
    }
  }

  /// Begins, for who watches already.
  ///
  /// - Parameters:
  ///   - watcher: What is kept up to date.
  ///   - milliseconds: How often it looks.
  public convenience init(_ watcher: Watcher, every milliseconds: Int32) {
    self.init(every: milliseconds) { () throws(Failure) in watcher }
  }

  private init(
    every milliseconds: Int32, _ find: @escaping @Sendable () throws(Failure) -> Watcher?
  ) {
    pause = milliseconds
    self.find = find
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
        if watcher == nil { watcher = try find() }
        try watcher?.catchUp()
        hasFailed = false
      } catch {
        if !hasFailed { Diagnostics.shared.say("events are not watched: \(error.explanation)") }
        hasFailed = true
      }
      guard !isLast else { return }
      // Being asked to end is what the wait is ended by.
      _ = try? end.isReadable(-1, within: pause)
    }
  }
}
