import Core
import Foundation
import Sessions
import Synchronization

/// A record of the sessions whose output a run reports.
///
/// `agent-adopt` does not report them a second time.
final class ReportedRun: Sendable {
  private let files: ReportedSessions
  private let heartbeat: Double
  private let startedAt = Timestamp.now
  private let sessions = Mutex<Set<SessionKey>>([])

  /// Creates the record of a run that begins now, with the given interval between heartbeats in
  /// seconds.
  init(_ directories: Directories, heartbeat: Double) {
    (files, self.heartbeat) = (ReportedSessions(directories), heartbeat)
  }

  /// Adds sessions; known ones are skipped.
  func add(_ told: Set<SessionKey>) {
    sessions.withLock { sessions in
      guard !told.isSubset(of: sessions) else { return }
      sessions.formUnion(told)
      store(sessions, for: 2 * heartbeat)
    }
  }

  /// Records that the run goes on, until the next heartbeat or the one after it.
  func goOn() { sessions.withLock { store($0, for: 2 * heartbeat) } }

  /// Records that the run ends now.
  func end() { sessions.withLock { store($0, for: 0) } }

  private func store(_ sessions: Set<SessionKey>, for seconds: Double) {
    let span = ReportedSessions.Span(
      from: startedAt, to: Timestamp.now.adding(seconds: seconds))
    for session in sessions { files.store(span, of: session) }
  }
}
