import Core
import Storage

/// The lease of a runner: the time for which it counts as alive after the last renewal.
///
/// A process renews the leases of its runners with one write. Transactions receive the runners
/// whose process has ended, and do not query the file system themselves.
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
  /// Returns the runners whose process is alive.
  ///
  /// On the machine that holds the locks, flock(2) decides: a killed process is detected at once,
  /// and a stopped process stays alive after its lease has expired. Elsewhere the lease decides.
  func living(among runners: [LeasedRunner]) -> [Runner] {
    guard let locks else {
      let now = base.now
      return runners.filter { $0.leaseUntil > now }.map(\.runner)
    }
    let held = Set(runners.map(\.runner.lock)).filter { FileLock.isHeld("\(locks)/\($0)") }
    return runners.map(\.runner).filter { held.contains($0.lock) }
  }

  /// Returns the runners in a query whose process has ended, for use in a transaction.
  ///
  /// A runner that registers meanwhile is not among them.
  ///
  /// - Throws: `StorageFailed`.
  func gone(
    among query: (any Rows) throws -> [LeasedRunner]
  ) throws(Failure) -> Set<Runner> {
    let found = try base.read(query)
    return Set(found.map(\.runner)).subtracting(living(among: found))
  }
}
