public import Core
import Foundation
public import Storage
import Synchronization

/// The receiver of controls for the agents that run in this process.
///
/// It passes on each control once.
public final class ControlPost: Sendable {
  private let store: Store
  private let runners: Mutex<[Runner]>
  private let report: NoticeHandler
  private let end = Interruption()
  /// The delay, in milliseconds, from a change of the store to the read that follows it.
  private static let pause: Int32 = 20
  private let seen = Mutex<Set<PendingControl>>([])

  /// Registers the given agents, and starts a thread that waits for controls and renews the leases.
  ///
  /// The caller must hold the locks that the runners name.
  ///
  /// - Parameters:
  ///   - runners: The runners of the agents.
  ///   - store: The store of controls.
  ///   - report: A function that receives a sentence if controls cannot be read.
  ///   - handle: A function that receives the controls, one after the other. Each control must be
  ///     answered with ``answer(_:_:)``, at any time.
  /// - Throws: `StorageFailed` if the agents cannot be registered.
  public init(
    _ runners: [Runner], store: Store, report: @escaping NoticeHandler = { _ in },
    handle: @escaping @Sendable (ControlPost, PendingControl) -> Void
  ) throws(Failure) {
    self.store = store
    self.runners = Mutex(runners)
    self.report = report
    let changes = try store.base.wakeUp(end)
    try store.register(runners)
    Thread.detachNewThread { [self] in wait(changes, handle) }
  }

  /// Registers another agent.
  ///
  /// - Throws: `StorageFailed` if the agent cannot be registered.
  public func add(_ runner: Runner) throws(Failure) {
    try store.register([runner])
    runners.withLock { $0.append(runner) }
  }

  /// Unregisters an agent.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func remove(_ runner: Runner) throws(Failure) {
    runners.withLock { $0.removeAll { $0 == runner } }
    try store.unregister([runner])
  }

  /// Records the agent's answer to the given control, with a sentence for a person.
  ///
  /// - Returns: The event for the log. It is nil if the control was already answered, or if the
  ///   control is for a swarm and the agent did not apply it.
  /// - Throws: `StorageFailed` if the store cannot be written.
  public func answer(
    _ control: PendingControl, _ outcome: ControlOutcome, note: String? = nil
  ) throws(Failure) -> Control? {
    let swarm = runners.withLock { $0.first { $0.agentId == control.agentId }?.swarmId }
    return try store.answer(control, outcome, note: note, swarmId: swarm)
  }

  /// Stops waiting for controls, and unregisters the agents.
  public func close() {
    end.fire(signal: SIGTERM)
    let runners = runners.withLock(\.self)
    do throws(Failure) { try store.unregister(runners) } catch { reportUnread(error) }
  }

  private func wait(_ changes: RecordWait, _ handle: (ControlPost, PendingControl) -> Void) {
    var hasFailed = false
    var renewal = ContinuousClock.now + store.lease.pause
    while end.signal == nil {
      do throws(Failure) {
        if renewal <= .now {
          let locks = runners.withLock { Set($0.map(\.lock)) }
          for lock in locks { try store.renewLease(of: lock) }
          renewal = .now + store.lease.pause
        }
        let agents = runners.withLock { $0.map(\.agentId) }
        for control in try store.pendingControls(agents: agents)
        where seen.withLock({ $0.insert(control).inserted }) {
          handle(self, control)
        }
        hasFailed = false
        let left = Int32((renewal - .now) / .milliseconds(1))
        _ = try changes(max(0, left) + 1)
        // A flood of events changes the folder all the time, so the pause limits the number of
        // reads.
        _ = try end.isReadable(-1, within: Self.pause)
      } catch {
        guard error.code != .interrupted else { return }
        if !hasFailed { reportUnread(error) }
        // Another read may succeed after the next change.
        hasFailed = true
        do throws(Failure) { _ = try changes(1000) } catch { return }
      }
    }
  }

  private func reportUnread(_ failure: Failure) {
    report("cannot read controls: \(failure.explanation)")
  }
}
