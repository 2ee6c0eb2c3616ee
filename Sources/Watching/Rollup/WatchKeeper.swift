public import Core
import Dispatch
import Events
import Foundation
import Storage
import Synchronization

/// Keeps what is known up to date for as long as a tool works, on a thread of its own.
public final class WatchKeeper: Sendable {
  /// Gives what is kept up to date; nil as long as there is nothing to watch.
  private let find: @Sendable () throws(Failure) -> Watcher?
  private let state = Mutex(State())
  private let isDue = DispatchSemaphore(value: 0)
  private let isDone = DispatchSemaphore(value: 0)

  /// How often it looks, in milliseconds.
  private let pause: Int
  private let note: Note

  private struct State {
    var isEnding = false
    /// Who waits for the next look to be over.
    var waiting: [DispatchSemaphore] = []
  }

  /// Begins, with the store and the log of some directories, once they are there.
  ///
  /// - Parameters:
  ///   - directories: Where they are.
  ///   - note: Takes the notice that events cannot be taken in.
  public convenience init(_ directories: Directories, note: @escaping Note) {
    self.init(every: 1000, note) { () throws(Failure) in
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
  ///   - note: Takes the notice that events cannot be taken in.
  public convenience init(
    _ watcher: Watcher, every milliseconds: Int, note: @escaping Note = { _ in }
  ) {
    self.init(every: milliseconds, note) { () throws(Failure) in watcher }
  }

  private init(
    every milliseconds: Int, _ note: @escaping Note,
    _ find: @escaping @Sendable () throws(Failure) -> Watcher?
  ) {
    (pause, self.note) = (milliseconds, note)
    self.find = find
    Thread.detachNewThread { [self] in
      work()
      isDone.signal()
    }
  }

  /// Takes in what came last, and ends.
  public func close() {
    state.withLock { $0.isEnding = true }
    isDue.signal()
    isDone.wait()
  }

  /// Waits until what is in the log by now was taken in, for who asks right after a change.
  ///
  /// - Parameter seconds: How long at most: where much came, or the disk is slow, it takes longer.
  public func settle(within seconds: Double) {
    let isSettled = DispatchSemaphore(value: 0)
    state.withLock { $0.waiting.append(isSettled) }
    isDue.signal()
    _ = isSettled.wait(timeout: .now() + seconds)
  }

  private func work() {
    var watcher: Watcher?
    var hasFailed = false
    while true {
      // However many asked for this look, one is enough.
      while isDue.wait(timeout: .now()) == .success {}
      let (isLast, waiting) = state.withLock { state in
        defer { state.waiting = [] }
        return (state.isEnding, state.waiting)
      }
      do throws(Failure) {
        if watcher == nil { watcher = try find() }
        try watcher?.catchUp()
        hasFailed = false
      } catch {
        if !hasFailed { note("cannot watch events: \(error.explanation)") }
        hasFailed = true
      }
      for isSettled in waiting { isSettled.signal() }
      guard !isLast else { return }
      _ = isDue.wait(timeout: .now() + .milliseconds(pause))
    }
  }
}
