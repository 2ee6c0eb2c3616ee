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
struct LeasedRunner {
  var runner: Runner
  /// The time at which the runner's lease ends.
  var leaseUntil: Timestamp
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
    guard let locks else {
      let now = base.now
      return runners.filter { $0.leaseUntil > now }.map(\.runner)
    }
    let held = Set(runners.map(\.runner.lock)).filter { FileLock.isHeld("\(locks)/\($0)") }
    return runners.map(\.runner).filter { held.contains($0.lock) }
  }

  /// Returns the runners, among those that `query` finds, whose process has ended.
  ///
  /// The result is passed to a later transaction. It does not contain runners that register in
  /// between.
  ///
  /// - Throws: `StorageFailed` if the query fails.
  func gone(
    among query: (any Rows) throws -> [LeasedRunner]
  ) throws(Failure) -> Set<Runner> {
    let found = try base.read(query)
    return Set(found.map(\.runner)).subtracting(living(among: found))
  }
}
