import CodingAgents
import Core
import Events

/// Sessions under `agent-run`, which reports them itself.
extension Adopter {
  /// The runs of `agent-run` that report a session, as they were a moment ago.
  struct Reporters {
    var spans: [ReportedSessions.Span]
    /// The time until which this is valid.
    var end: ContinuousClock.Instant
  }

  /// Returns `true` if `agent-run` reports what the given session did at the given time.
  func isReportedElsewhere(_ session: AdoptedSession, at instant: Timestamp) -> Bool {
    let spans = spans(of: session)
    if spans.contains(where: { $0.contains(instant) }) { return true }
    // The output of Codex and OpenCode leaves out subagents.
    let isAside = session.facts.parent != nil && session.key.agent != .gemini
    let process = processes[session.key] ?? .none
    guard process.isUnderRunner, !isAside, let start = process.startedAt else { return false }
    // The run may not have recorded the session yet. What came before the process is no part of it.
    return start <= instant && !spans.contains { $0.to >= start }
  }

  /// Returns `true` if `agent-run` reports the given entry, which may be older than the run of its
  /// session.
  func isReportedElsewhere(
    _ session: AdoptedSession, _ entry: SessionEntry, _ now: Timestamp
  ) -> Bool {
    let at = min(entry.at ?? session.lastAt ?? now, now)
    if session.isReportedElsewhere, session.startedAt.map({ at >= $0 }) ?? true { return true }
    // An entry in order belongs to the run.
    guard session.run == nil || at < session.lastAt ?? at else {
      return session.isReportedElsewhere
    }
    return isReportedElsewhere(session, at: at)
  }

  private func spans(of session: AdoptedSession) -> [ReportedSessions.Span] {
    if let known = reporters[session.key], known.end > .now { return known.spans }
    let parent = session.key.agent == .gemini ? session.facts.parent : nil
    let keys = [session.key] + (parent.map { [SessionKey(.gemini, $0)] } ?? [])
    let spans = keys.flatMap { reported.spans(of: $0) }
    reporters[session.key] = Reporters(spans: spans, end: .now + .milliseconds(20))
    return spans
  }

  /// Ends the run of the given session, because from now on another tool reports it, or none.
  ///
  /// Open calls that the other tool reports are left out.
  func leave(_ session: inout AdoptedSession, at instant: Timestamp) -> [any Event] {
    removeRunner(session.key)
    return isReportedElsewhere(session, at: instant)
      ? session.handOver(at: instant) : session.end(.finished, at: instant)
  }

  /// Begins a run of the given session if the entry is the first one of a run.
  func begin(
    _ session: inout AdoptedSession, _ entry: SessionEntry, _ now: Timestamp
  ) -> [any Event] {
    guard !entry.isCopy, AdoptedSession.begins(entry.content) else { return [] }
    let at = min(entry.at ?? now, now)
    var ends: [any Event] = []
    if session.run != nil {
      // A session may go on under agent-run, or after it. The files of subagents are read later
      // than that of the session, so their entries may be older.
      guard at >= session.lastAt ?? at,
        isReportedElsewhere(session, at: at) != session.isReportedElsewhere
      else { return [] }
      ends = leave(&session, at: session.lastAt ?? at)
    }
    guard session.isNewer(at) else { return ends }
    let process = process(of: session)
    processes[session.key] = process
    session.isReportedElsewhere = isReportedElsewhere(session, at: at)
    // Without a stated status, an agent at its prompt would count as stuck.
    let beats = isFollowing && process.statesStatus
    return ends
      + session.begin(
        at: at, heartbeat: beats ? Self.heartbeat : nil,
        process: process.certainty.rawValue)
  }
}
