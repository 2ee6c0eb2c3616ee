import Dispatch

/// A queue for blocking calls, which would otherwise occupy the few threads that run tasks.
public struct Blocking: Sendable {
  private let queue: DispatchQueue

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - label: The name that a debugger shows for the queue's threads.
  ///   - inOrder: `true` to run the calls one after the other, `false` to run them concurrently.
  public init(_ label: String, inOrder: Bool = false) {
    queue = DispatchQueue(label: label, attributes: inOrder ? [] : .concurrent)
  }

  /// Runs the given call on the queue, and suspends the task until the call returns.
  ///
  /// - Returns: The call's result.
  /// - Throws: The call's error.
  public func run<Value: Sendable, Problem: Error>(
    _ call: @escaping @Sendable () throws(Problem) -> Value
  ) async throws(Problem) -> Value {
    let result: Result<Value, Problem> = await withCheckedContinuation { waiting in
      queue.async { waiting.resume(returning: Result(catching: call)) }
    }
    return try result.get()
  }
}
