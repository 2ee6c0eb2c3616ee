import Command
import Core
import Pipelines
import Pushing

extension Session {
  private static let reading = Blocking("push-notify.reading")

  /// The end of the reading of alerts, or of their sending.
  private enum Ended: Sendable {
    case reading(Result<Void, Failure>)
    case sending(Result<Void, Failure>)
  }

  /// Sends the alerts that the given function accepts, until each has an outcome.
  ///
  /// - Parameters:
  ///   - targets: The targets.
  ///   - takesOver: `true` to send what earlier processes left.
  ///   - read: A function that reads alerts to their end, and may block.
  /// - Throws: The errors of the function; `StorageFailed` if the queue cannot be used;
  ///   `Interrupted` if the process is to end. Alerts without an outcome then stay in the queue.
  func push(
    to targets: [PushTarget], takesOver: Bool = true,
    _ read: @escaping @Sendable (Pusher) throws(Failure) -> Void
  ) async throws(Failure) {
    let pusher = try Pusher(
      targets, directories, takesOver: takesOver, goal: goal(ofStage:), report: report
    ) { (delivery) throws(Failure) in
      defer {
        if var failure = delivery.error {
          self.remember(failure)
          failure.input = Visible.line(delivery.target)
          self.diagnostics.report(failure)
        }
      }
      try self.output.write(delivery)
    }
    let ends = AsyncStream<Ended>.makeStream()
    let sending = Task {
      ends.continuation.yield(
        .sending(await Self.result { () async throws(Failure) in try await pusher.run() }))
    }
    Task {
      let result = await Self.result { () async throws(Failure) in
        try await Self.reading.run { () throws(Failure) in try read(pusher) }
      }
      ends.continuation.yield(.reading(result))
    }
    interruption.onFire { sending.cancel() }
    defer { sending.cancel() }
    for await end in ends.stream {
      switch end {
      case .reading(.success): pusher.end()
      case .reading(.failure(let failure)):
        try reportWaiting(pusher)
        throw failure
      // Without sending, there is nothing to read for.
      case .sending(let result):
        try reportWaiting(pusher)
        try result.get()
        guard interruption.signal == nil else { throw interruption.failure }
        return
      }
    }
  }

  /// Returns the goal of the run that has the given stage; nil if the store has no such run.
  private func goal(ofStage id: String) -> String? {
    do throws(Failure) {
      return try Pipeline.goal(ofStage: id, in: directories)
    } catch {
      report(.sentence("a message says no goal: \(error.explanation)"))
      return nil
    }
  }

  private static func result(
    _ work: () async throws(Failure) -> Void
  ) async -> Result<Void, Failure> {
    do throws(Failure) {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  }

  /// Reports the alerts that stay in the queue, also in the exit status.
  private func reportWaiting(_ pusher: Pusher) throws(Failure) {
    let count = try pusher.waiting
    guard count > 0 else { return }
    let failure = Failure(
      .notAnswered,
      "\(count) \(count == 1 ? "alert waits" : "alerts wait") for the next push-notify to the target"
    )
    remember(failure)
    diagnostics.report(failure)
  }
}
