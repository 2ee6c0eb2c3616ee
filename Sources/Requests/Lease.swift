import Core
import Storage

/// The lease of a runner, which is the time for which a runner counts as alive without a renewal.
///
/// A process renews the leases of all its runners with one write. A transaction must not query the
/// file system. The processes that have ended are therefore determined before it.
package struct Lease: Sendable {
  /// The length of a lease in seconds.
  package let seconds: Double
  /// The time between two renewals.
  package let pause: Duration

  /// The lease where locks also show which processes are alive.
  static let besideLocks = Lease(seconds: 30, pause: .seconds(10))
  /// The lease that alone shows which processes are alive.
  static let alone = Lease(seconds: 10, pause: .seconds(3))
}

/// A runner in the store, with its lease.
package struct LeasedRunner: Sendable {
  /// The runner.
  package let runner: Runner
  /// The number of the lease, which rises each time that a process takes over the agent.
  ///
  /// A process that lost its lease, or got another one since, cannot end that of the present holder.
  package let number: Int64
  /// The time at which the lease ends.
  let leaseUntil: Timestamp
}

extension Store {
  /// The lease of this store's runners.
  package var lease: Lease { locks == nil ? .alone : .besideLocks }

  /// Returns the given runners whose process is alive.
  ///
  /// On the machine that has the lock files, flock(2) shows if a process is alive. A killed process
  /// is detected at once, and a stopped process counts as alive even if its lease has expired. On
  /// other machines, a process counts as alive until its lease expires.
  func living(among runners: [LeasedRunner]) -> [Runner] {
    runners.living(without: ended(among: runners), at: base.now)
  }

  /// Returns the runners, among those that `query` finds, whose process has ended.
  ///
  /// The result is passed to a later transaction. It does not contain runners that register in
  /// between.
  ///
  /// - Returns: The runners; nil if there are no locks. The transaction then reads the leases.
  /// - Throws: `StorageFailed` if the query fails.
  func gone(
    among query: (any Rows) throws -> [LeasedRunner]
  ) throws(Failure) -> Set<Runner>? {
    locks == nil ? nil : ended(among: try base.read(query))
  }

  /// Returns the given runners whose lock is free; nil if there are no locks.
  private func ended(among runners: [LeasedRunner]) -> Set<Runner>? {
    guard let locks else { return nil }
    let held = Set(runners.map(\.runner.lock)).filter { FileLock.isHeld("\(locks)/\($0)") }
    return Set(runners.map(\.runner).filter { !held.contains($0.lock) })
  }
}

extension [LeasedRunner] {
  /// Returns the runners whose process is alive.
  ///
  /// - Parameters:
  ///   - gone: The runners whose process has ended; nil if the leases show it.
  ///   - now: The current time.
  /// - Returns: The runners.
  func living(without gone: Set<Runner>?, at now: Timestamp) -> [Runner] {
    guard let gone else { return filter { $0.leaseUntil > now }.map(\.runner) }
    return map(\.runner).filter { !gone.contains($0) }
  }
}
