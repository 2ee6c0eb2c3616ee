import Core
import Dispatch
import Events
import Synchronization

/// Takes events of many requests in and commits them together, so that a slow disk is waited for once.
final class IngestDesk: Sendable {
  private struct Job {
    var events: [EncodedEvent]
    var bytes: Int
    var done: CheckedContinuation<Result<[String], Failure>, Never>
  }

  private struct State {
    /// Why events could not be kept just now, and since when that is known.
    var failure: (why: Failure, at: ContinuousClock.Instant)?
    var jobs: [Job] = []
    var bytes = 0
    var isWorking = false
    var isTrimming = false
    /// Is told when nothing waits to be committed any more.
    var quiet: (@Sendable () -> Void)?
  }

  private let journal: EventJournal
  private let queue = DispatchQueue(label: "hub.ingest")
  private let state = Mutex(State())
  /// So many bytes of events may wait.
  private static let mostBytes = 64 << 20
  /// After so many seconds a failure tells nothing any more.
  private static let forgetting = 30
  /// So many events are committed together.
  private static let batch = 4000

  /// How many events were taken in.
  let taken = Atomic<Int>(0)
  /// For how many nanoseconds the log was written.
  let nanoseconds = Atomic<Int>(0)

  /// Why the last events could not be kept; nil where they were, and a while later: who sends nothing to a
  /// hub that is not well would never learn that it is again.
  var lastFailure: Failure? {
    state.withLock { state in
      state.failure.flatMap { .now - $0.at < .seconds(Self.forgetting) ? $0.why : nil }
    }
  }

  /// Writes to a journal that nobody else of this process writes to.
  init(_ journal: EventJournal) {
    self.journal = journal
  }

  /// Calls something each time that all which came is committed, on the thread that writes.
  func onQuiet(_ quiet: @escaping @Sendable () -> Void) {
    state.withLock { $0.quiet = quiet }
  }

  /// Adds events, all or none.
  ///
  /// - Parameters:
  ///   - events: The events.
  ///   - bytes: How large they are, roughly.
  /// - Returns: Their ids, once they are in the log; of one whose `srcId` the log has, the one it has.
  /// - Throws: `Overloaded` where too much waits; `StorageFailed`.
  func append(_ events: [EncodedEvent], bytes: Int) async throws(Failure) -> [String] {
    guard !events.isEmpty else { return [] }
    let result = await withCheckedContinuation { continuation in
      let (fits, starts) = state.withLock { state in
        guard state.bytes < Self.mostBytes else { return (false, false) }
        state.jobs.append(Job(events: events, bytes: bytes, done: continuation))
        state.bytes += bytes
        defer { state.isWorking = true }
        return (true, !state.isWorking)
      }
      guard fits else {
        continuation.resume(
          returning: .failure(
            Failure(
              .overloaded, "the event log is busy: too many events are waiting",
              retryAfterSeconds: 1)))
        return
      }
      if starts { queue.async { [self] in work() } }
    }
    return try result.get()
  }

  /// Removes some of what the log is not to keep any more, where nobody writes it just now.
  func trim() {
    let starts = state.withLock { state in
      guard !state.isWorking, !state.isTrimming else { return false }
      state.isTrimming = true
      return true
    }
    guard starts else { return }
    queue.async { [self] in
      // Where that fails, events cannot be written either, and their sender is told.
      _ = try? journal.append([EncodedEvent]())
      state.withLock { $0.isTrimming = false }
    }
  }

  private func work() {
    while let jobs = next() {
      let began = ContinuousClock.now
      let result = commit(jobs.flatMap(\.events))
      let spent = began.duration(to: .now).components
      nanoseconds.wrappingAdd(
        Int(spent.seconds) * 1_000_000_000 + Int(spent.attoseconds / 1_000_000_000),
        ordering: .relaxed)
      var start = 0
      for job in jobs {
        let end = start + job.events.count
        job.done.resume(returning: result.map { Array($0[start..<end]) })
        start = end
      }
      let quiet = state.withLock { $0.jobs.isEmpty ? $0.quiet : nil }
      quiet?()
    }
  }

  private func commit(_ events: [EncodedEvent]) -> Result<[String], Failure> {
    do throws(Failure) {
      let ids = try journal.append(events)
      taken.wrappingAdd(ids.count, ordering: .relaxed)
      state.withLock { $0.failure = nil }
      return .success(ids)
    } catch {
      var failure = error
      failure.retryAfterSeconds = failure.retryAfterSeconds ?? 5
      state.withLock { $0.failure = (failure, .now) }
      return .failure(failure)
    }
  }

  /// What is committed next; nil where nothing waits.
  private func next() -> [Job]? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.isWorking = false
        return nil
      }
      var count = 0
      var events = 0
      while count < state.jobs.count,
        count == 0 || events + state.jobs[count].events.count <= Self.batch
      {
        events += state.jobs[count].events.count
        state.bytes -= state.jobs[count].bytes
        count += 1
      }
      defer { state.jobs.removeFirst(count) }
      return Array(state.jobs.prefix(count))
    }
  }
}
