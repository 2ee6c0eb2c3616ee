import Core
import Storage

/// The lease of a runner: the time for which a runner counts as alive after its last renewal.
///
/// A process renews the leases of all its runners with one write. Which processes have ended is
/// determined before a transaction, because a transaction must not query the file system.
package enum Lease {
  /// The length of a lease in seconds.
  package static let seconds = 30.0
  /// The time between two renewals.
  package static let pause = Duration.seconds(10)
}

/// A runner in the store.
struct LeasedRunner {
  var runner: Runner
  /// The end of its lease.
  var leaseUntil: Timestamp
}

extension Store {
  /// Returns those of the given runners whose process is alive.
  ///
  /// On the machine that holds the locks, flock(2) decides. A killed process is detected at once,
  /// and a stopped process counts as alive even if its lease has expired. On other machines, the
  /// lease decides.
  func living(among runners: [LeasedRunner]) -> [Runner] {
    guard let locks else {
      let now = base.now
      return runners.filter { $0.leaseUntil > now }.map(\.runner)
    }
    let held = Set(runners.map(\.runner.lock)).filter { FileLock.isHeld("\(locks)/\($0)") }
    return runners.map(\.runner).filter { held.contains($0.lock) }
  }

  /// Returns those of the runners that `query` finds whose process has ended.
  ///
  /// The result is passed to a later transaction. Runners that register in between are not in it.
  ///
  /// - Throws: `StorageFailed` if the query fails.
  func gone(
    among query: (any Rows) throws -> [LeasedRunner]
  ) throws(Failure) -> Set<Runner> {
    let found = try base.read(query)
    return Set(found.map(\.runner)).subtracting(living(among: found))
  }
}
