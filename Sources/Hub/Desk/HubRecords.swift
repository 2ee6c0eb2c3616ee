public import Core
package import Events
package import Storage
import Tokens

/// The records of a hub: in files of this machine, or in a database that several hubs share.
public struct HubRecords: Sendable {
  /// Opens the store of decisions, controls and devices.
  let store: @Sendable () throws(Failure) -> Store
  /// The place of the event log.
  let events: EventPlace
  /// The name under which the hub holds the leases of connected agents.
  let holder: String
  /// `true` if other hubs may use the same records.
  let isShared: Bool

  /// Creates the records in the files of the given directories.
  public init(_ directories: Directories) {
    store = { () throws(Failure) in try Store(directories) }
    events = .database(directories)
    (holder, isShared) = (OwnHub.lockName, false)
  }

  /// Creates the records in the given base, which other hubs may use.
  ///
  /// - Parameters:
  ///   - base: The base of the store.
  ///   - events: The place of the event log.
  ///   - holder: A name that no other hub has.
  package init(sharing base: any RecordBase, _ events: EventPlace, holder: String) {
    store = { Store(base) }
    (self.events, self.holder, isShared) = (events, "hub " + holder, true)
  }

  /// Opens the event log.
  ///
  /// - Throws: `StorageFailed` if the log cannot be opened.
  func journal() throws(Failure) -> EventJournal { try EventJournal(opening: events) }

  /// Returns `true` if the given lock of a runner stands for a hub that shares these records.
  func isHeldByHub(_ lock: String) -> Bool { isShared && lock.hasPrefix("hub ") }
}
