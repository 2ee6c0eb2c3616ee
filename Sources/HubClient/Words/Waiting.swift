public import Core
import Dispatch
import Synchronization

/// Lets a thread that is nobody's but its own wait for what happens on Swift's pool of threads.
public enum Waiting {
  /// Does something and waits for it.
  ///
  /// - Parameters:
  ///   - interruption: Cancels the work.
  ///   - work: What is done.
  /// - Returns: What the work gives.
  /// - Throws: What the work throws; `Interrupted` when the process is to end.
  public static func run<Value: Sendable>(
    _ interruption: Interruption? = nil,
    _ work: @escaping @Sendable () async throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let pending = PendingWork(work)
    while true {
      if let result = pending.result(within: interruption == nil ? nil : 0.05) {
        return try result.get()
      }
      if let interruption, interruption.signal != nil {
        pending.cancel()
        throw interruption.failure
      }
    }
  }
}

/// Work on Swift's pool of threads that somebody waits for, for a while or to its end.
public final class PendingWork<Value: Sendable>: Sendable {
  private let outcome: Outcome
  private let task: Task<Void, Never>

  /// What became of it.
  private final class Outcome: Sendable {
    let value = Mutex<Result<Value, Failure>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
  }

  /// Begins the work.
  public init(_ work: @escaping @Sendable () async throws(Failure) -> Value) {
    let outcome = Outcome()
    self.outcome = outcome
    task = Task {
      let result: Result<Value, Failure>
      do throws(Failure) {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      outcome.value.withLock { $0 = result }
      outcome.isDone.signal()
    }
  }

  /// Waits for the end of the work.
  ///
  /// - Parameter seconds: How long at most; nil waits on.
  /// - Returns: What it came to; nil where it goes on.
  public func result(within seconds: Double?) -> Result<Value, Failure>? {
    if let value = outcome.value.withLock({ $0 }) { return value }
    let end = seconds.map { DispatchTime.now() + $0 } ?? .distantFuture
    // Whether it came to an end is told by what it came to.
    _ = outcome.isDone.wait(timeout: end)
    return outcome.value.withLock { $0 }
  }

  /// Asks the work to end.
  public func cancel() { task.cancel() }
}
