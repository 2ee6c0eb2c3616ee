import Chats
import Command
import Core
import Foundation
import Sessions
import Synchronization

/// The store of chats that receives the text of sessions.
///
/// While sessions are followed, a thread of its own stores the text, so that long sessions delay
/// neither heartbeats nor controls.
final class KeptSessions: Sendable {
  private struct State {
    var waiting: [SessionSource] = []
    /// The times before which sources are not read again.
    var rests: [SessionSource: ContinuousClock.Instant] = [:]
    var isStarted = false
    var isEnding = false
    /// `true` after a failure was reported, until a source is stored.
    var hasFailed = false
  }

  /// The shortest time between two reads of a source.
  private static let pause = Duration.seconds(4)
  /// The time in seconds that the thread has for the rest at the end.
  private static let ending = 10.0

  private let session: Session
  private let chats: ChatStore
  private let state = Mutex(State())
  private let interruption = Interruption()
  private let wakeUp = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  /// Opens the store.
  ///
  /// - Throws: The failures of the store and of its key.
  init(_ session: Session) throws(Failure) {
    self.session = session
    chats = try ChatStore(session.directories, keys: session.keys(try session.configuration()))
  }

  /// Stores the text of the given sources; known messages are skipped.
  ///
  /// - Throws: `StorageFailed` if the store cannot be written; `Interrupted`.
  func store(_ sources: [SessionSource]) throws(Failure) {
    do throws(Failure) {
      try store(sources, until: session.interruption)
    } catch {
      if error.code == .interrupted { reportRest() }
      throw error
    }
  }

  private func store(
    _ sources: [SessionSource], until interruption: Interruption
  ) throws(Failure) {
    guard !sources.isEmpty else { return }
    var sessions = SessionImport(
      into: chats, environment: session.environment, interruption: interruption)
    try sessions.run(sources) { session.report(.sentence($0.explanation)) }
  }

  private func reportRest() {
    session.report("the text of some sessions was not stored: 'chat-log import' stores it")
  }

  // MARK: The thread

  /// Makes the thread store the text of the given sources.
  func add(_ sources: [SessionSource]) {
    let isFirst = state.withLock { state in
      let known = Set(state.waiting)
      state.waiting += sources.filter { !known.contains($0) }
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if isFirst { Thread.detachNewThread { [self] in work() } }
    wakeUp.signal()
  }

  /// Waits a while until the thread has stored the text, and stops it.
  func close() {
    guard state.withLock(\.isStarted) else { return }
    state.withLock { $0.isEnding = true }
    wakeUp.signal()
    guard done.wait(timeout: .now() + Self.ending) == .timedOut else { return }
    interruption.fire(signal: SIGTERM)
    reportRest()
    _ = done.wait(timeout: .now() + Self.ending)
  }

  private func work() {
    while interruption.signal == nil {
      if let source = next() {
        keep(source)
        continue
      }
      let (isEnding, isIdle) = state.withLock { ($0.isEnding, $0.waiting.isEmpty) }
      if isEnding, isIdle { break }
      _ = wakeUp.wait(timeout: isIdle ? .distantFuture : .now() + 1)
    }
    done.signal()
  }

  private func next() -> SessionSource? {
    state.withLock { state in
      let now = ContinuousClock.now
      let isDue = { state.isEnding || state.rests[$0] ?? now <= now }
      return state.waiting.firstIndex(where: isDue).map { state.waiting.remove(at: $0) }
    }
  }

  private func keep(_ source: SessionSource) {
    let began = ContinuousClock.now
    var failure: Failure?
    do throws(Failure) { try store([source], until: interruption) } catch { failure = error }
    // Long sessions are not read all the time.
    let rest = max(Self.pause, (.now - began) * 20)
    let isNews = state.withLock { state in
      state.rests[source] = .now + rest
      // A later attempt may succeed.
      if failure?.code == .storageFailed, !state.isEnding { state.waiting.append(source) }
      defer { state.hasFailed = failure != nil }
      return !state.hasFailed
    }
    guard isNews, let failure, failure.code != .interrupted else { return }
    session.report(.sentence("cannot store text: \(failure.explanation)"))
  }
}
