import Core
import Events
import Requests
import Storage
import Synchronization
import Watching

/// The files of a hub, which are read and changed on threads of their own.
final class HubDesk: Sendable {
  /// Where everything is.
  let directories: Directories
  /// How often one may steer and decide.
  let limits: ActionLimits
  /// The events, for whoever reads them.
  let journal: EventJournal
  /// What is known of all agents; only changed by the desk's own keeper.
  let watcher: Watcher
  /// What is decided and steered.
  let store: Store
  /// The same records over a connection of its own: who reads here waits for no change.
  let reading: Store
  /// Where everything is read and changed.
  let threads = HubThreads()
  /// Who takes events in.
  let ingest: IngestDesk
  /// Who sees to how much of the log is kept.
  let logKeeper: LogKeeper
  /// Where records are to be seen.
  let links: WebLinks
  /// Takes notices for the operator.
  let note: Note

  private let keeper = Mutex<WatchKeeper?>(nil)
  /// Who asks how things stand waits so long for what came just before, in seconds.
  private static let patience = 0.1

  /// Opens the files, and makes them where there are none.
  ///
  /// - Throws: `StorageFailed`.
  init(
    _ directories: Directories, _ settings: ServeSettings, limits: ActionLimits,
    note: @escaping Note
  ) throws(Failure) {
    self.directories = directories
    self.limits = limits
    self.note = note
    links = settings.links
    store = try Store(directories)
    reading = try Store(directories)
    journal = try EventJournal(opening: directories)
    let keeper = LogKeeper(journal, settings.bounds, note: note)
    logKeeper = keeper
    watcher = Watcher(store: try Store(directories), journal: journal) { keeper.lost($0) }
    try keeper.begin(after: try watcher.takenIn())
    ingest = IngestDesk(try EventJournal(opening: directories))
  }

  /// Reads something, as ``HubThreads/read(_:)``.
  func read<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value { try await threads.read(work) }

  /// Changes something in the store, as ``HubThreads/write(_:)``.
  func write<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value { try await threads.write(work) }

  /// What is known at this moment.
  ///
  /// - Throws: As ``read(_:)``.
  func standing<Value: Sendable>(
    _ ask: @escaping @Sendable (Standing) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let (watcher, keeper) = (watcher, keeper.withLock(\.self))
    return try await read { () throws(Failure) in
      keeper?.settle(within: Self.patience)
      return try ask(watcher.standing(at: .now))
    }
  }

  /// Takes what comes into what is known, from now on.
  func beginWatching() {
    keeper.withLock { $0 = WatchKeeper(watcher, every: 250, note: note) }
  }

  /// Takes in what came last, and nothing from then on.
  func endWatching() {
    let keeper = keeper.withLock { keeper in
      defer { keeper = nil }
      return keeper
    }
    keeper?.close()
  }
}
