import CodingAgents
import Core
import Foundation
import Synchronization

/// A record of the sessions whose output a run reports.
///
/// `agent-adopt` does not report them a second time. A thread of its own records that the run goes
/// on, so that the files neither delay heartbeats nor depend on their interval.
final class ReportedRun: Sendable {
  private struct State {
    var sessions: Set<SessionKey> = []
    var hasEnded = false
  }

  /// The time in seconds between two records that the run goes on.
  private static let interval = 10.0
  /// The time in seconds for which a recorded run goes on if it is killed.
  private static let validity = 30.0

  private let files: ReportedSessions
  private let startedAt = Timestamp.now
  private let state = Mutex(State())
  private let ended = DispatchSemaphore(value: 0)

  /// Creates the record of a run that begins now.
  init(_ directories: Directories) { files = ReportedSessions(directories) }

  /// Adds sessions; known ones are skipped.
  func add(_ told: Set<SessionKey>) {
    let isFirst = state.withLock { state in
      guard !told.isSubset(of: state.sessions) else { return false }
      store(told.subtracting(state.sessions), for: state.hasEnded ? 0 : Self.validity)
      defer { state.sessions.formUnion(told) }
      return state.sessions.isEmpty && !state.hasEnded
    }
    if isFirst { Thread.detachNewThread { [self] in goOn() } }
  }

  /// Records that the run ends now.
  func end() {
    state.withLock { state in
      state.hasEnded = true
      store(state.sessions, for: 0)
    }
    ended.signal()
  }

  private func goOn() {
    while ended.wait(timeout: .now() + Self.interval) == .timedOut {
      state.withLock { if !$0.hasEnded { store($0.sessions, for: Self.validity) } }
    }
  }

  private func store(_ sessions: Set<SessionKey>, for seconds: Double) {
    let span = ReportedSessions.Span(
      from: startedAt, to: Timestamp.now.adding(seconds: seconds))
    for session in sessions { files.store(span, of: session) }
  }
}
