public import Core
import Dispatch
import Events
import Foundation
import Storage
import Synchronization

/// A thread that processes new events while a tool runs.
///
/// Of several hubs that share their records, one processes events without being asked.
public final class WatchKeeper: Sendable {
  /// A closure that opens the watcher.
  ///
  /// It returns nil if there is nothing to watch yet.
  private let find: @Sendable () throws(Failure) -> Watcher?
  private let state = Mutex(State())
  private let isDue = DispatchSemaphore(value: 0)
  private let isDone = DispatchSemaphore(value: 0)

  /// The interval between two rounds of processing, in milliseconds.
  private let pause: Int
  private let report: NoticeHandler

  private struct State {
    var isEnding = false
    /// The callers that wait for the end of the next round.
    var waiting: [DispatchSemaphore] = []
  }

  /// Starts processing in the given directories, as soon as they contain a store and a log.
  ///
  /// - Parameters:
  ///   - directories: The directories of the store and the log.
  ///   - report: A closure that receives a message if events cannot be processed.
  public convenience init(_ directories: Directories, report: @escaping NoticeHandler) {
    self.init(every: 1000, report) { () throws(Failure) in
      guard let journal = try EventJournal(existingIn: directories),
        let store = try Store(existingIn: directories)
      else { return nil }
      return Watcher(store: store, journal: journal)
    }
  }

  /// Starts processing with the given watcher.
  ///
  /// - Parameters:
  ///   - watcher: The watcher that processes the events.
  ///   - milliseconds: The interval between two rounds of processing.
  ///   - report: A closure that receives a message if events cannot be processed.
  public convenience init(
    _ watcher: Watcher, every milliseconds: Int, report: @escaping NoticeHandler = { _ in }
  ) {
    self.init(every: milliseconds, report) { () throws(Failure) in watcher }
  }

  private init(
    every milliseconds: Int, _ report: @escaping NoticeHandler,
    _ find: @escaping @Sendable () throws(Failure) -> Watcher?
  ) {
    (pause, self.report) = (milliseconds, report)
    self.find = find
    Thread.detachNewThread { [self] in
      work()
      isDone.signal()
    }
  }

  /// Processes the last events, and then ends the thread.
  public func close() {
    state.withLock { $0.isEnding = true }
    isDue.signal()
    isDone.wait()
  }

  /// Waits until all current events in the log are processed, so that queries include them.
  ///
  /// - Parameter seconds: The maximum wait. Many events or a slow disk may take longer.
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
      // One run serves all pending requests.
      while isDue.wait(timeout: .now()) == .success {}
      let (isLast, waiting) = state.withLock { state in
        defer { state.waiting = [] }
        return (state.isEnding, state.waiting)
      }
      do throws(Failure) {
        if watcher == nil { watcher = try find() }
        // A caller that waits asked for the latest state. Otherwise one of several hubs is enough.
        let isAsked = !waiting.isEmpty
        if let watcher, isAsked ? true : try watcher.hasDuty { try watcher.catchUp() }
        hasFailed = false
      } catch {
        if !hasFailed { report("cannot watch events: \(error.explanation)") }
        hasFailed = true
      }
      for isSettled in waiting { isSettled.signal() }
      guard !isLast else { return }
      _ = isDue.wait(timeout: .now() + .milliseconds(pause))
    }
  }
}
