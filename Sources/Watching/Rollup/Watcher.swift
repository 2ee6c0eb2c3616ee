public import Core
public import Events

/// Keeps what is known of all agents up to date with the event log.
///
/// Any process may do it at any time: what is known and the id of the last event taken in are
/// committed together, one process at a time.
public struct Watcher: Sendable {
  private let store: Store
  private let journal: EventJournal

  /// Events that are taken in with one commit.
  private static let batch = 2000
  /// What is remembered for how long, in milliseconds.
  private static let kept: [(kind: String, time: Int64)] = [
    (WatchedAgent.kind, 30 * day), (WatchedSwarm.kind, 30 * day), (WatchedSession.kind, 30 * day),
    (WatchedSkill.kind, 30 * day), (WatchedGate.kind, 30 * day), (WatchedAlert.kind, 30 * day),
    (WatchedIncident.kind, 90 * day), (WatchedCall.kind, day),
  ]
  private static let day: Int64 = 86_400_000
  /// Of no kind more are remembered.
  private static let most = 20_000

  /// Watches a journal.
  public init(store: Store, journal: EventJournal) {
    self.store = store
    self.journal = journal
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
      let batch = try store.changeWatched { (state) throws(Failure) -> EventBatch in
        let batch = try journal.read(after: try state.upTo(), limit: Self.batch)
        guard let last = batch.last else { return batch }
        var rollup = try Rollup(state)
        for entry in batch.entries {
          if let event = WatchedEvent(entry) { try rollup.take(event, state) }
        }
        try rollup.save(to: state)
        try state.setUpTo(last)
        return batch
      }
      // A log that is empty since it was made anew has nothing to take in yet.
      if let gap = batch.gap, batch.last != nil { gaps.append(gap) }
      guard batch.entries.count == Self.batch else { break }
    }
    try check(now)
    return gaps
  }

  /// Tells the log of gates what only the store knows yet, because whoever opened or decided them
  /// ended before it could tell, or nobody decided in time.
  private func tellGates(_ now: Timestamp) throws(Failure) {
    try store.expireGates(at: now)
    let known = try store.readWatched { (state) throws(Failure) in
      try state.documents(WatchedGate.self)
    }
    let ids = Set(known.map(\.id))
    var untold = try store.gates(status: .pending).filter { !ids.contains($0.gateId) }
    for id in known.filter(\.isPending).map(\.id) {
      if let gate = try store.gate(id), gate.status != .pending { untold.append(gate) }
    }
    if !untold.isEmpty { try tell(untold.map(\.event), at: now) }
  }

  /// Tells the log, unless it can only be read: what is known is then worked out for this process.
  private func tell(_ events: [any Event], at now: Timestamp) throws(Failure) {
    do throws(Failure) {
      try journal.append(events, at: now)
    } catch {
      guard error.kind == "readOnly" else { throw error }
    }
  }

  private func check(_ now: Timestamp) throws(Failure) {
    let untold = try store.changeWatched { (state) throws(Failure) -> [WatchedAlert] in
      try AlertCheck.run(state, at: now.milliseconds)
      try clear(state, now)
      return try state.documents(WatchedAlert.self).filter { !$0.isTold }
    }
    guard !untold.isEmpty else { return }
    // One that is told twice, because this process ends here, is in the log once by its source id.
    try tell(untold.map(\.alert), at: now)
    try store.changeWatched { (state) throws(Failure) in
      for told in untold {
        // Another process may have raised it anew meanwhile.
        guard var alert = try state.document(WatchedAlert.self, told.id),
          alert.raisedAt == told.raisedAt
        else { continue }
        alert.isTold = true
        try state.save(alert)
      }
    }
  }

  private func clear(_ state: WatchedState, _ now: Timestamp) throws(Failure) {
    for (kind, time) in Self.kept {
      let count = try state.remove(kind, before: now.milliseconds - time, beyond: Self.most)
      if count > 0, kind == WatchedIncident.kind { try state.forgetEvents(ofRemoved: kind) }
    }
  }
}
