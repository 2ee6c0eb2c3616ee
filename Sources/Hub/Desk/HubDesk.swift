import Core
import Events
import Requests
import Storage
import Synchronization
import Watching

/// The files of a hub.
///
/// They are read and changed on dedicated threads.
final class HubDesk: Sendable {
  /// The directories of the files.
  let directories: Directories
  /// The records, which other hubs may share.
  let records: HubRecords
  /// The limits on controls and decisions.
  let limits: ActionLimits
  /// The event log.
  let journal: EventJournal
  /// The watcher, which updates the state of all agents.
  ///
  /// Only the desk uses it.
  let watcher: Watcher
  /// The store of decisions and controls.
  let store: Store
  /// A second connection to the same store.
  ///
  /// It reads without waiting for changes.
  let reading: Store
  /// The store of this machine, with companions and browsers.
  ///
  /// It is that of the records, unless hubs share them.
  let own: Store
  /// A second connection to the same store, as ``reading``.
  let ownReading: Store
  /// The threads on which files are read and changed.
  let threads = HubThreads()
  /// The writer of received events.
  let ingest: IngestDesk
  /// The keeper that limits the size of the event log.
  let logKeeper: LogKeeper
  /// The links to pages about records.
  let links: WebLinks
  /// Receives messages for the operator.
  let report: NoticeHandler
  /// The refusals of telemetry that were reported.
  let refusals: TelemetryRefusals

  private let keeper = Mutex<WatchKeeper?>(nil)
  /// The longest time in seconds for which a query waits until the latest events are processed.
  private static let patience = 0.1

  /// Opens the records.
  ///
  /// - Throws: `StorageFailed` if they cannot be opened or created.
  init(
    _ directories: Directories, _ records: HubRecords, _ settings: ServeSettings,
    limits: ActionLimits, report: @escaping NoticeHandler
  ) throws(Failure) {
    (self.directories, self.records) = (directories, records)
    self.limits = limits
    self.report = report
    refusals = TelemetryRefusals(report: report)
    links = settings.allLinks
    store = try records.store()
    reading = try records.store()
    own = records.isShared ? try Store(directories) : store
    ownReading = records.isShared ? try Store(directories) : reading
    journal = try records.journal()
    let keeper = LogKeeper(journal, settings.bounds, report: report)
    logKeeper = keeper
    watcher = Watcher(store: try records.store(), journal: journal) { keeper.lost($0) }
    try keeper.begin(after: try watcher.lastProcessed())
    ingest = IngestDesk(try records.journal())
  }

  /// The current time by the clock of the records.
  var now: Timestamp { store.now }

  /// The registered devices, companions and browsers.
  var devices: DeviceDesk { DeviceDesk(store, of: records.isShared ? own : nil) }

  /// The same devices, read without waiting for changes.
  var devicesForReading: DeviceDesk {
    DeviceDesk(reading, of: records.isShared ? ownReading : nil)
  }

  /// The failure for which the records cannot be reached at present; nil if they can.
  var outage: Failure? { store.base.outage }

  /// Runs the given work, which reads files; see ``HubThreads/read(_:)``.
  func read<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value { try await threads.read(work) }

  /// Runs the given work, which changes the store; see ``HubThreads/write(_:)``.
  func write<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value { try await threads.write(work) }

  /// Calls `ask` with the current state, and returns its result.
  ///
  /// - Throws: As ``read(_:)``.
  func standing<Value: Sendable>(
    _ query: @escaping @Sendable (Standing) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let (watcher, keeper) = (watcher, keeper.withLock(\.self))
    return try await read { () throws(Failure) in
      keeper?.settle(within: Self.patience)
      return try query(watcher.standing())
    }
  }

  /// Starts to apply new events to the state.
  func beginWatching() {
    keeper.withLock { $0 = WatchKeeper(watcher, every: 250, report: report) }
  }

  /// Applies the latest events to the state, and stops applying events.
  func endWatching() {
    let keeper = keeper.withLock { keeper in
      defer { keeper = nil }
      return keeper
    }
    keeper?.close()
  }
}
