import Core
import Dispatch
import Synchronization

/// Lets a thread that is nobody's but its own wait for what happens on Swift's pool of threads.
enum Waiting {
  /// Does something and waits for it.
  ///
  /// - Throws: What the work throws.
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = Outcome<Value>()
    Task {
      do throws(Failure) {
        let value = try await work()
        result.value.withLock { $0 = .success(value) }
      } catch {
        result.value.withLock { $0 = .failure(error) }
      }
      done.signal()
    }
    done.wait()
    guard let outcome = result.value.withLock({ $0 }) else {
      throw Failure(.interrupted, "the request was cancelled")
    }
    return try outcome.get()
  }

  private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Result<Value, Failure>?>(nil)
  }
}
