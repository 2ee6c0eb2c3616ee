import Dispatch

/// A task executor with threads of its own, whose jobs wait for no other test.
public final class OwnThreads: TaskExecutor {
  private let queue = DispatchQueue(label: "own", attributes: .concurrent)

  /// Creates the executor.
  public init() {}

  /// Runs a job on one of its threads.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
