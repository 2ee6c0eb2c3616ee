import Core
import Events
import Sessions

/// The events that could not be stored.
extension Adopter {
  /// The numbers of lost events, and the time of the next attempt to create them again.
  struct Losses {
    /// The number when the sessions were last read again.
    var settled = 0
    /// The number at the last look.
    var seen = 0
    /// The time at which the sessions are read again.
    var retry = ContinuousClock.now
  }

  /// The time after the last loss at which the sessions are read again.
  private static let pause = Duration.seconds(10)

  /// Waits until the events are stored, so that the positions behind them may be stored too.
  ///
  /// If events were lost, the sessions are later read again from the stored positions. The source
  /// ids of their events remove the duplicates.
  ///
  /// - Returns: `true` if all events are stored.
  /// - Throws: `StorageFailed` if events were lost and this run ends; `Interrupted`.
  func storesEvents() throws(Failure) -> Bool {
    let isFlushed = queue.flush(within: isFollowing ? 2 : 60)
    let lost = sink.lost
    if isFlushed, lost == losses.settled { return true }
    guard isFollowing else {
      throw Failure(
        .storageFailed, "events could not be stored",
        nextStep: "mend the cause and run it again: it continues where its last run ended")
    }
    if lost > losses.seen { (losses.seen, losses.retry) = (lost, .now + Self.pause) }
    // Without room, the events would be lost again.
    if isFlushed, losses.retry <= .now, sink.hasRoom {
      losses.settled = lost
      try readAgain()
    }
    return false
  }

  private func readAgain() throws(Failure) {
    (sessions, unsaved) = ([:], [])
    loadOpenSessions()
    sources.rewind()
    try take(sources.search(all: true))
  }

  /// Loads the stored sessions whose process has not ended.
  func loadOpenSessions() {
    for session in files.all(AdoptedSession.self, "sessions")
    where session.run != nil && options.agents.contains(session.key.agent) {
      sessions[session.key] = session
    }
  }
}
