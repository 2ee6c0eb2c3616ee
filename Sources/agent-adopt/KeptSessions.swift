import Chats
import CodingAgents
import Command
import Core
import Foundation
import Synchronization

/// The store of chats that receives the text of sessions.
///
/// While sessions are followed, a thread of its own stores the text, so that long sessions delay
/// neither heartbeats nor controls.
final class KeptSessions: Sendable {
  private struct State {
    /// The paths of the sources to store, in their order.
    var waiting: [String] = []
    /// The sources to store, by their paths.
    var sources: [String: SessionSource] = [:]
    /// The times before which sources are not read again, by their paths.
    var rests: [String: ContinuousClock.Instant] = [:]
    var isStarted = false
    var isEnding = false
    /// `true` after a failure was reported, until a source is stored.
    var hasFailed = false
    /// `true` if a source could not be stored at the end.
    var isLacking = false

    /// Adds a source, instead of a waiting one with its path: its files or its title changed.
    mutating func add(_ source: SessionSource) {
      let known = sources.updateValue(source, forKey: source.path)
      if known == nil { waiting.append(source.path) }
    }
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
      for source in sources { state.add(source) }
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
    let isLate = done.wait(timeout: .now() + Self.ending) == .timedOut
    if isLate { interruption.fire(signal: SIGTERM) }
    if isLate || state.withLock(\.isLacking) { reportRest() }
    if isLate { _ = done.wait(timeout: .now() + Self.ending) }
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
      return state.waiting.firstIndex(where: isDue).flatMap { index in
        let path = state.waiting.remove(at: index)
        return state.sources.removeValue(forKey: path)
      }
    }
  }

  private func keep(_ source: SessionSource) {
    let began = ContinuousClock.now
    var failure: Failure?
    do throws(Failure) { try store([source], until: interruption) } catch { failure = error }
    // Long sessions are not read all the time.
    let rest = max(Self.pause, (.now - began) * 20)
    let isNews = state.withLock { state in
      let now = ContinuousClock.now
      state.rests = state.rests.filter { $0.value > now }
      state.rests[source.path] = now + rest
      if state.isEnding, failure != nil { state.isLacking = true }
      // A later attempt may succeed. A source that was added meanwhile is newer.
      if failure?.code == .storageFailed, !state.isEnding, state.sources[source.path] == nil {
        state.add(source)
      }
      defer { state.hasFailed = failure != nil }
      return !state.hasFailed
    }
    guard isNews, let failure, failure.code != .interrupted else { return }
    session.report(.sentence("cannot store text: \(failure.explanation)"))
  }
}
