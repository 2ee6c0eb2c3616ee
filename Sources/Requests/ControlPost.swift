public import Core
import Foundation
public import Storage
import Synchronization

/// Lets agents of this process be steered: hands over each control that comes for them, once.
public final class ControlPost: Sendable {
  private let store: Store
  private let runners: [Runner]
  private let note: Note
  private let end = Interruption()
  /// How long what changed is let change on before it is looked at, in milliseconds.
  private static let pause: Int32 = 20
  private let seen = Mutex<Set<PendingControl>>([])

  /// Registers the agents and begins to wait, on a thread of its own, which renews their leases.
  ///
  /// Whoever calls this holds the locks that the runners name.
  ///
  /// - Parameters:
  ///   - runners: The agents.
  ///   - store: Where controls are kept.
  ///   - note: Takes the notice that they cannot be read.
  ///   - handle: Is given each control, one after the other, and answers it by ``answer(_:_:)``, now or
  ///     later.
  /// - Throws: `StorageFailed`.
  public init(
    _ runners: [Runner], store: Store, note: @escaping Note = { _ in },
    handle: @escaping @Sendable (ControlPost, PendingControl) -> Void
  ) throws(Failure) {
    self.store = store
    self.runners = runners
    self.note = note
    let changes = try store.base.wakeUp(end)
    try store.register(runners)
    Thread.detachNewThread { [self] in wait(changes, handle) }
  }

  /// Answers a control.
  ///
  /// - Returns: The event that tells it, for the log; nil where it was answered before.
  /// - Throws: `StorageFailed`.
  public func answer(_ control: PendingControl, _ outcome: ControlOutcome) throws(Failure)
    -> Control?
  {
    let swarm = runners.first { $0.agentId == control.agentId }?.swarmId
    return try store.answer(control, outcome, swarmId: swarm)
  }

  /// Ends the waiting; the agents are not steered any more.
  public func close() {
    end.fire(signal: SIGTERM)
    do throws(Failure) { try store.unregister(runners) } catch { tell(error) }
  }

  private func wait(_ changes: RecordWait, _ handle: (ControlPost, PendingControl) -> Void) {
    var hasFailed = false
    var renewal = ContinuousClock.now + Lease.pause
    while end.signal == nil {
      do throws(Failure) {
        if renewal <= .now {
          for lock in Set(runners.map(\.lock)) { try store.renewLease(of: lock) }
          renewal = .now + Lease.pause
        }
        for control in try store.pendingControls(agents: runners.map(\.agentId))
        where seen.withLock({ $0.insert(control).inserted }) {
          handle(self, control)
        }
        hasFailed = false
        let left = Int32((renewal - .now) / .milliseconds(1))
        _ = try changes(max(0, left) + 1)
        // In a flood of events the folder changes all the time.
        _ = try end.isReadable(-1, within: Self.pause)
      } catch {
        guard error.code != .interrupted else { return }
        if !hasFailed { tell(error) }
        // What cannot be read now may be readable after the next change.
        hasFailed = true
        do throws(Failure) { _ = try changes(1000) } catch { return }
      }
    }
  }

  private func tell(_ failure: Failure) {
    note("cannot read controls: \(failure.explanation)")
  }
}
