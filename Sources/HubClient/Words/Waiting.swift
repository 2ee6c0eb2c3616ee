public import Core
import Dispatch
import Synchronization

/// Functions with which a dedicated thread waits for asynchronous work.
public enum Waiting {
  /// Runs the given work and waits for its result.
  ///
  /// - Parameters:
  ///   - interruption: The signal that cancels the work.
  ///   - work: The work.
  /// - Returns: The result of the work.
  /// - Throws: The errors of the work; `Interrupted` if the process is to end.
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

/// Asynchronous work whose result a thread can wait for.
public final class PendingWork<Value: Sendable>: Sendable {
  private let outcome: Outcome
  private let task: Task<Void, Never>

  /// The outcome of the work.
  private final class Outcome: Sendable {
    let value = Mutex<Result<Value, Failure>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
  }

  /// Starts the given work.
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

  /// Waits until the work is done.
  ///
  /// - Parameter seconds: The longest wait; nil for no limit.
  /// - Returns: The result; nil if the work is not done in time.
  public func result(within seconds: Double?) -> Result<Value, Failure>? {
    if let value = outcome.value.withLock({ $0 }) { return value }
    let end = seconds.map { DispatchTime.now() + $0 } ?? .distantFuture
    // The stored value shows if the work is done, so the outcome of the wait is ignored.
    _ = outcome.isDone.wait(timeout: end)
    return outcome.value.withLock { $0 }
  }

  /// Cancels the work.
  public func cancel() { task.cancel() }
}
