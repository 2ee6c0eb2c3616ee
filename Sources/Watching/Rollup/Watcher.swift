public import Core
public import Events
import Requests
public import Storage

/// Keeps what is known of all agents up to date with the event log.
///
/// Any process may do it at any time: what is known and the id of the last event taken in are
/// committed together, one process at a time.
public final class Watcher: Sendable {
  let watched: Watched
  let journal: EventJournal

  private let lost: Lost?

  /// Events that are taken in with one commit.
  private static let batch = 2000

  /// Is told what was gone before it could be taken in.
  public typealias Lost = @Sendable (Gap) -> Void

  /// Watches a journal.
  ///
  /// - Parameters:
  ///   - store: Where what is known is kept.
  ///   - journal: What is watched.
  ///   - lost: Is called for every gap.
  public init(store: Store, journal: EventJournal, lost: Lost? = nil) {
    watched = Watched(store)
    self.journal = journal
    self.lost = lost
  }

  /// The id of the last event that was taken in; nil before the first.
  ///
  /// - Throws: `StorageFailed`.
  public func takenIn() throws(Failure) -> String? {
    try watched.read { (state) throws(Failure) in try state.tables.upTo() }
  }

  /// Takes in what was logged since the last time, and tells what is the matter.
  ///
  /// - Parameter now: The present.
  /// - Returns: What could not be taken in, because it was gone before.
  /// - Throws: `StorageFailed`.
  @discardableResult
  public func catchUp(at now: Timestamp = .now) throws(Failure) -> [Gap] {
    try tellGates(now)
    var gaps: [Gap] = []
    while true {
      let batch = try watched.change { (state) throws(Failure) in try foldBatch(into: state) }
      // A log that is empty since it was made anew has nothing to take in yet.
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

  /// Tells the log of gates what only the store knows yet, because whoever opened or decided them
  /// ended before it could tell, or nobody decided in time.
  private func tellGates(_ now: Timestamp) throws(Failure) {
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
    var untold = unknown
    for id in known.map(\.id) {
      if let gate = try store.gate(id), gate.status != .pending { untold.append(gate) }
    }
    if !untold.isEmpty { try tell(untold.map(\.event), at: now) }
  }

  /// Tells the log, unless it can only be read: what is known is then worked out for this process.
  private func tell(_ events: [any Event], at now: Timestamp) throws(Failure) {
    do throws(Failure) {
      try journal.append(events, at: now)
    } catch {
      guard error.kind == .readOnly else { throw error }
    }
  }

  private func check(_ now: Timestamp) throws(Failure) {
    let untold = try watched.change { (state) throws(Failure) in
      try AlertCheck.run(state, at: now.milliseconds)
      try state.removeOld(at: now.milliseconds)
      return try state.documents(WatchedAlert.self, .live(at: now.milliseconds))
        .filter { !$0.isTold }
    }
    guard !untold.isEmpty else { return }
    // One that is told twice, because this process ends here, is in the log once by its source id.
    try tell(untold.map(\.alert), at: now)
    try watched.change { (state) throws(Failure) in
      for told in untold {
        // Another process may have raised it anew meanwhile.
        guard var alert = try state.document(WatchedAlert.self, told.id),
          alert.raisedAt == told.raisedAt
        else { continue }
        alert.isTold = true
        state.set(alert)
      }
    }
  }
}

extension WatchedState {
  private static let day: Int64 = 86_400_000
  /// Of no kind more are remembered.
  private static let most = 20_000

  /// Removes what is remembered for no longer.
  fileprivate func removeOld(at now: Int64) throws(Failure) {
    try removeOld(WatchedAgent.self, before: now - 30 * Self.day)
    try removeOld(WatchedSwarm.self, before: now - 30 * Self.day)
    try removeOld(WatchedSession.self, before: now - 30 * Self.day)
    try removeOld(WatchedSkill.self, before: now - 30 * Self.day)
    try removeOld(WatchedGate.self, before: now - 30 * Self.day)
    try removeOld(WatchedAlert.self, before: now - 30 * Self.day)
    try removeOld(WatchedCall.self, before: now - Self.day)
    try removeOld(WatchedUsage.self, before: now - 400 * Self.day)
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
