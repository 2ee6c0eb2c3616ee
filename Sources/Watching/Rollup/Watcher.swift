public import Core
public import Events
import Requests
public import Storage
import Synchronization

/// A watcher, which processes new events of the log and updates the watched state.
///
/// Any process may process events at any time. One process at a time commits the state, together
/// with the ID of the last processed event.
public final class Watcher: Sendable {
  let watched: Watched
  let journal: EventJournal

  private let lost: Lost?
  /// The time of the last removal of outdated documents, in milliseconds since 1970.
  private let removedAt = Mutex<Int64>(0)

  /// The time between two removals of outdated documents, in milliseconds.
  private static let removalPause = 60_000
  /// The maximum number of events in one commit.
  private static let batch = 2000

  /// A closure that receives each gap.
  ///
  /// A gap stands for events that were removed before they were processed.
  public typealias Lost = @Sendable (Gap) -> Void

  /// Creates a watcher of the given journal.
  ///
  /// - Parameters:
  ///   - store: The store of the watched state.
  ///   - journal: The journal whose events are processed.
  ///   - lost: A closure that receives each gap.
  public init(store: Store, journal: EventJournal, lost: Lost? = nil) {
    watched = Watched(store)
    self.journal = journal
    self.lost = lost
  }

  /// Returns the ID of the last event that was processed; nil if there is none.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read.
  public func lastProcessed() throws(Failure) -> String? {
    try watched.read { (state) throws(Failure) in try state.tables.upTo() }
  }

  /// Processes all new events, and logs new alerts.
  ///
  /// - Parameter now: The current time; nil for the store's own clock.
  /// - Returns: The gaps, which stand for events that were removed before they were processed.
  /// - Throws: `StorageFailed` if the store or the log fails.
  @discardableResult
  public func catchUp(at now: Timestamp? = nil) throws(Failure) -> [Gap] {
    let now = now ?? watched.store.now
    try logGates(now)
    var gaps: [Gap] = []
    while true {
      let batch = try watched.change { (state) throws(Failure) in try foldBatch(into: state) }
      // An empty log that was created anew has no gap.
      if let gap = batch.gap, batch.last != nil {
        gaps.append(gap)
        lost?(gap)
      }
      if let last = batch.last { journal.recordProcessed(upTo: last) }
      guard batch.entries.count == Self.batch else { break }
    }
    try check(now)
    return gaps
  }

  /// `true` if this watcher processes the events for all hubs that share the store.
  ///
  /// - Throws: `StorageFailed` if the store cannot be reached.
  var hasDuty: Bool {
    get throws(Failure) { try watched.store.base.has(.folding) }
  }

  private func foldBatch(into state: WatchedState) throws(Failure) -> EventBatch {
    let batch = try journal.read(after: try state.tables.upTo(), limit: Self.batch)
    guard let last = batch.last else { return batch }
    var rollup = try Rollup(state)
    for entry in batch.entries {
      if let event = WatchedEvent(entry) { try rollup.fold(event) }
    }
    try rollup.finish()
    try state.tables.setUpTo(last)
    return batch
  }

  /// Logs those states of gates that are so far only in the store.
  ///
  /// The gate expired, or the process that opened or decided it ended before logging.
  private func logGates(_ now: Timestamp) throws(Failure) {
    let store = watched.store
    try store.expireGates(at: now)
    let pending = try store.gates(status: .pending)
    let (unknown, known) = try watched.read { (state) throws(Failure) in
      var unknown: [ApprovalGate] = []
      for gate in pending where try state.document(WatchedGate.self, gate.gateId) == nil {
        unknown.append(gate)
      }
      return (unknown, try state.documents(WatchedGate.self, .live(at: now.milliseconds)))
    }
    var unlogged = unknown
    for id in known.map(\.id) {
      if let gate = try store.gate(id), gate.status != .pending { unlogged.append(gate) }
    }
    if !unlogged.isEmpty { try append(unlogged.map(\.event), at: now) }
  }

  /// Appends the given events to the log; has no effect if the log is read-only.
  private func append(_ events: [any Event], at now: Timestamp) throws(Failure) {
    do throws(Failure) {
      try journal.append(events, at: now)
    } catch {
      guard error.kind == .readOnly else { throw error }
    }
  }

  private func check(_ now: Timestamp) throws(Failure) {
    let removes = removedAt.withLock { last in
      guard abs(now.milliseconds - last) >= Self.removalPause else { return false }
      last = now.milliseconds
      return true
    }
    let (unlogged, pauses) = try watched.change { (state) throws(Failure) in
      try AlertCheck.run(state, at: now.milliseconds)
      if removes { try state.removeOld(at: now.milliseconds) }
      let live = try state.documents(WatchedAlert.self, .live(at: now.milliseconds))
      let thresholds = try Thresholds(state)
      let pauses = live.filter { thresholds.pauses(after: $0.alert) }
      return (live.filter { !$0.isTold }, pauses)
    }
    for entry in pauses { try pause(after: entry, at: now) }
    guard !unlogged.isEmpty else { return }
    // If this process ends here, the alert is logged again. Its source ID then removes the
    // duplicate.
    try append(unlogged.map(\.alert), at: now)
    try watched.change { (state) throws(Failure) in
      for entry in unlogged {
        // Another process may have raised the alert again meanwhile.
        guard var alert = try state.document(WatchedAlert.self, entry.id),
          alert.raisedAt == entry.raisedAt
        else { continue }
        alert.isTold = true
        state.set(alert)
      }
    }
  }
}

extension Thresholds {
  /// Returns `true` if the swarm of the given alert must be paused.
  fileprivate func pauses(after alert: Alert) -> Bool {
    let kind = Threshold.Kind(rawValue: alert.kind.rawValue)
    return kind.map { action($0, alert.swarmId) == .pause } ?? false
  }
}

extension WatchedState {
  private static let day: Int64 = 86_400_000
  /// The maximum number of documents of each kind that are stored.
  private static let most = 20_000

  /// Removes outdated documents.
  fileprivate func removeOld(at now: Int64) throws(Failure) {
    try removeOld(WatchedAgent.self, before: now - 30 * Self.day)
    try removeOld(WatchedSwarm.self, before: now - 30 * Self.day)
    try removeOld(WatchedSession.self, before: now - 30 * Self.day)
    try removeOld(WatchedSkill.self, before: now - 30 * Self.day)
    try removeOld(WatchedGate.self, before: now - 30 * Self.day)
    try removeOld(WatchedAlert.self, before: now - 30 * Self.day)
    try removeOld(WatchedCall.self, before: now - Self.day)
    try removeOld(WatchedUsage.self, before: now - 400 * Self.day)
    // Without it, an imported session would count again.
    try removeOld(WatchedSpending.self, before: now - 400 * Self.day)
    if try removeOld(WatchedIncident.self, before: now - 90 * Self.day) {
      try tables.forgetEvents(ofRemoved: WatchedIncident.kind)
    }
  }

  @discardableResult
  private func removeOld(
    _ type: (some WatchedDocument).Type, before instant: Int64
  ) throws(Failure) -> Bool {
    try remove(type, before: instant, beyond: Self.most)
  }
}
