import CodingAgents
import Core
import Events

/// The stored states of sessions and positions in files.
extension Adopter {
  /// Loads the stored sessions whose process has not ended, and the owners of recent calls.
  func loadOpenSessions() {
    for session in files.all(AdoptedSession.self, "sessions")
    where options.agents.contains(session.key.agent) {
      if session.run != nil { sessions[session.key] = session }
      // Copies of older calls are not reported.
      guard session.lastAt.map({ $0 >= cutoff }) ?? false else { continue }
      for mark in session.seen where owners.count < Self.mostOwners { owners[mark] = session.key }
    }
  }

  /// Stores what changed, or reads it again later if its events were lost.
  ///
  /// - Throws: `StorageFailed` if positions cannot be written; without following, also if events
  ///   cannot be.
  func save() throws(Failure) {
    guard try !store() else { return }
    reopenCalls()
    guard isFollowing else {
      throw Failure(.storageFailed, "the events of sessions cannot be stored")
    }
    guard sink.lostCount > lostCount else { return }
    let due = retryAt ?? .now + retryPause
    retryAt = due
    guard due <= .now, sink.hasRoom else { return }
    (retryAt, lostCount) = (nil, sink.lostCount)
    retryPause = min(retryPause * 2, Self.rest)
    for key in unsaved {
      sessions[key] =
        beforeClose[key]
        ?? files.load(AdoptedSession.self, "sessions", AdoptedRun.agentId(key))
    }
    unsaved = Set(beforeClose.keys)
    try take(sources.forgetUnsaved())
  }

  /// Stores what changed.
  ///
  /// Events are stored before positions. If this process ends in between, they are created again,
  /// and their source ids remove the duplicates.
  ///
  /// - Returns: `false` if nothing was stored, because not all events are.
  /// - Throws: `StorageFailed` if positions cannot be written.
  private func store() throws(Failure) -> Bool {
    writing = .zero
    guard !unsaved.isEmpty else { return true }
    // Lost events stay lost: there is nothing to wait for.
    guard sink.lostCount == lostCount, queue.flush(within: isFollowing ? 2 : 10),
      sink.lostCount == lostCount
    else {
      isBlocked = true
      return false
    }
    let start = ContinuousClock.now
    defer { writing = .now - start }
    for key in unsaved {
      if let session = sessions[key] { try files.save(session, "sessions", session.agentId) }
    }
    (unsaved, retryPause) = ([], Self.tick)
    (beforeClose, isReopened) = ([:], false)
    try sources.save()
    // A later entry loads an ended session again.
    guard isFollowing else { return true }
    sessions = sessions.filter { $0.value.run != nil }
    heardAt = heardAt.filter { sessions[$0.key] != nil }
    reporters = reporters.filter { sessions[$0.key] != nil }
    return true
  }

  /// Closes the calls of the given session, which is quiet.
  ///
  /// Such a call may still grow. The state is therefore stored before the events are: otherwise a
  /// process that begins after a crash would not know how much of the call was reported.
  func closeCalls(of session: inout AdoptedSession) -> [any Event] {
    guard session.hasOpenCalls, !isBlocked, (try? store()) == true else { return [] }
    var closed = session
    let events = closed.closeCalls()
    guard (try? files.save(closed, "sessions", closed.agentId)) != nil else { return [] }
    (beforeClose[session.key], isReopened) = (session, false)
    session = closed
    return events
  }

  /// Stores the states before calls were closed, because the events of the calls may be lost.
  ///
  /// No entry of their files would create these events again. If some were stored after all, their
  /// source ids remove the duplicates.
  private func reopenCalls() {
    guard !isReopened else { return }
    isReopened = true
    for session in beforeClose.values { try? files.save(session, "sessions", session.agentId) }
  }
}
