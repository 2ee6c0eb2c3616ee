import Core
import HubClient
import Requests
import Storage

/// A source of controls for the agents of sessions, which come and go.
protocol AdoptedControls: AnyObject {
  /// Starts to receive controls of the given agent.
  func add(_ runner: Runner)
  /// Stops receiving controls of the given agent.
  func remove(_ runner: Runner)
  /// Reports the outcome of the given control, with a sentence for a person.
  ///
  /// - Returns: The event for the log; nil if another process writes it.
  func answer(_ control: PendingControl, _ outcome: ControlOutcome, note: String?) -> Control?
  /// Stops receiving controls.
  func close()
}

/// Controls that other processes of this machine store.
final class StoredAdoptedControls: AdoptedControls {
  private let post: ControlPost
  private let report: NoticeHandler

  /// Starts to receive controls.
  ///
  /// Agents that an earlier process left registered would seem to be alive, so they are
  /// unregistered.
  ///
  /// - Parameters:
  ///   - directories: The directories of the store.
  ///   - lock: The name of the lock that the runners name, which the caller holds.
  ///   - report: Receives a sentence about each problem.
  ///   - handle: Receives the controls.
  /// - Throws: `StorageFailed` if the store cannot be used.
  init(
    _ directories: Directories, lock: String, report: @escaping NoticeHandler,
    handle: @escaping @Sendable (PendingControl) -> Void
  ) throws(Failure) {
    self.report = report
    let store = try Store(directories)
    try store.release(store.runners(lock: lock))
    post = try ControlPost([], store: store, report: report) { handle($1) }
  }

  func add(_ runner: Runner) {
    do throws(Failure) { try post.add(runner) } catch { trouble(error) }
  }

  func remove(_ runner: Runner) {
    do throws(Failure) { try post.remove(runner) } catch { trouble(error) }
  }

  func answer(_ control: PendingControl, _ outcome: ControlOutcome, note: String?) -> Control? {
    do throws(Failure) {
      return try post.answer(control, outcome, note: note)
    } catch {
      trouble(error)
      return nil
    }
  }

  func close() { post.close() }

  private func trouble(_ failure: Failure) {
    report("sessions cannot be steered: \(failure.explanation)")
  }
}

/// Controls that arrive from a hub, over a connection for each agent.
final class HubAdoptedControls: AdoptedControls {
  private let hub: HubGroup
  private let report: NoticeHandler
  private let handle: @Sendable (PendingControl) -> Void
  private var connections: [String: HubControls] = [:]

  /// Creates the source without connections.
  init(
    _ hub: HubGroup, report: @escaping NoticeHandler,
    handle: @escaping @Sendable (PendingControl) -> Void
  ) {
    (self.hub, self.report, self.handle) = (hub, report, handle)
  }

  func add(_ runner: Runner) {
    connections[runner.agentId] = HubControls(hub, [runner], report: report) { [handle] in
      handle($1)
    }
  }

  func remove(_ runner: Runner) {
    connections.removeValue(forKey: runner.agentId)?.close(within: 1)
  }

  func answer(_ control: PendingControl, _ outcome: ControlOutcome, note: String?) -> Control? {
    connections[control.agentId]?.answer(control, outcome, note: note)
    return nil
  }

  func close() {
    for connection in connections.values { connection.close(within: 1) }
    connections = [:]
  }
}
