import Core
import Storage

/// The time for which a runner counts as alive after its process was last heard of.
///
/// A process renews the lease of its runners with one write. Transactions are handed the runners
/// whose process has ended; they ask the file system nothing.
package enum Lease {
  /// Its length, in seconds.
  package static let seconds = 30.0
  /// The time between two renewals.
  package static let pause = Duration.seconds(10)
}

/// A runner as the store has it.
struct LeasedRunner {
  var runner: Runner
  /// The end of its lease.
  var leaseUntil: Timestamp
}

extension Store {
  /// The runners among some whose process is alive.
  ///
  /// On the machine of the locks flock(2) decides, by which a killed process is found at once, and a
  /// stopped one or a machine that slept stays alive though the lease has run out. Elsewhere the
  /// lease decides.
  func living(among runners: [LeasedRunner]) -> [Runner] {
    guard let locks else {
      let now = base.now
      return runners.filter { $0.leaseUntil > now }.map(\.runner)
    }
    let held = Set(runners.map(\.runner.lock)).filter { FileLock.isHeld("\(locks)/\($0)") }
    return runners.map(\.runner).filter { held.contains($0.lock) }
  }

  /// The runners that a query finds and whose process has ended, for a transaction to be handed.
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
