import Dispatch

/// Threads of a test's own: what runs on them waits for no other test.
public final class OwnThreads: TaskExecutor {
  private let queue = DispatchQueue(label: "own", attributes: .concurrent)

  /// Creates them.
  public init() {}

  /// Runs a job on one of them.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
