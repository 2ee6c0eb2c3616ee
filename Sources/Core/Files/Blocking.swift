import Dispatch

/// Runs calls that block away from the threads that tasks run on, of which there are few.
public struct Blocking: Sendable {
  private let queue: DispatchQueue

  /// A place for calls of one kind.
  ///
  /// - Parameters:
  ///   - label: What its threads are called in a debugger.
  ///   - inOrder: Whether the calls run one after the other; else any number runs at once.
  public init(_ label: String, inOrder: Bool = false) {
    queue = DispatchQueue(label: label, attributes: inOrder ? [] : .concurrent)
  }

  /// Runs a call and waits for it, as a task does.
  ///
  /// - Returns: What the call returned.
  /// - Throws: What the call threw.
  public func run<Value: Sendable, Problem: Error>(
    _ call: @escaping @Sendable () throws(Problem) -> Value
  ) async throws(Problem) -> Value {
    let result: Result<Value, Problem> = await withCheckedContinuation { waiting in
      queue.async { waiting.resume(returning: Result(catching: call)) }
    }
    return try result.get()
  }
}
