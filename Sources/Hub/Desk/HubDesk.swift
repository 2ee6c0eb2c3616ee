import Core
import Dispatch
import Events
import Requests
import Storage
import Synchronization
import Watching

/// Where a hub's files are read and changed: on threads of its own, never on an event loop nor in a
/// request's task.
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
  /// Who takes events in.
  let ingest: IngestDesk
  /// Who sees to how much of the log is kept.
  let logKeeper: LogKeeper
  /// Where records are to be seen.
  let links: WebLinks
  /// Takes notices for the operator.
  let note: Note

  private let keeper = Mutex<WatchKeeper?>(nil)
  private let readers: [DispatchQueue]
  private let writer = DispatchQueue(label: "hub.store")
  private let pending = Atomic<Int>(0)
  private let nextReader = Atomic<Int>(0)
  private let spentReading = Atomic<Int>(0)
  private let spentWriting = Atomic<Int>(0)
  /// So many requests may wait for a thread.
  private static let mostPending = 512
  private static let readerCount = 4
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
    journal = try EventJournal(opening: directories)
    let keeper = LogKeeper(journal, settings.bounds, note: note)
    logKeeper = keeper
    watcher = Watcher(store: try Store(directories), journal: journal) { keeper.lost($0) }
    try keeper.begin(after: try watcher.takenIn())
    ingest = IngestDesk(try EventJournal(opening: directories))
    readers = (0..<Self.readerCount).map { DispatchQueue(label: "hub.read.\($0)") }
  }

  /// Reads something.
  ///
  /// - Throws: `Overloaded` where too many wait; what the reading throws.
  func read<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let index = nextReader.wrappingAdd(1, ordering: .relaxed).oldValue
    return try await run(on: readers[index & (readers.count - 1)], isWrite: false, work)
  }

  /// Changes something in the store; one change at a time.
  ///
  /// - Throws: `Overloaded` where too many wait; what the change throws.
  func write<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await run(on: writer, isWrite: true, work)
  }

  /// For how many nanoseconds the files were read.
  var readNanoseconds: Int { spentReading.load(ordering: .relaxed) }
  /// For how many nanoseconds the store was changed.
  var writeNanoseconds: Int { spentWriting.load(ordering: .relaxed) }

  private func run<Value: Sendable>(
    on queue: DispatchQueue, isWrite: Bool, _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    defer { pending.wrappingSubtract(1, ordering: .relaxed) }
    guard pending.wrappingAdd(1, ordering: .relaxed).newValue <= Self.mostPending else {
      throw Failure(.overloaded, "too many requests wait for the hub", retryAfterSeconds: 1)
    }
    let result = await withCheckedContinuation { continuation in
      queue.async { [self] in
        let began = DispatchTime.now().uptimeNanoseconds
        defer {
          let spent = Int(DispatchTime.now().uptimeNanoseconds - began)
          if isWrite {
            spentWriting.wrappingAdd(spent, ordering: .relaxed)
          } else {
            spentReading.wrappingAdd(spent, ordering: .relaxed)
          }
        }
        do throws(Failure) {
          continuation.resume(returning: Result<Value, Failure>.success(try work()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

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
