import Core
import Dispatch
import Events
import Synchronization

/// A queue that commits the events of many requests together.
///
/// All these requests then wait only once for a slow disk.
final class IngestDesk: Sendable {
  private struct Job {
    var events: [EncodedEvent]
    var bytes: Int
    var done: CheckedContinuation<Result<[String], Failure>, Never>
  }

  private struct State {
    /// The last failure to write events, and the time at which it occurred.
    var failure: (why: Failure, at: ContinuousClock.Instant)?
    var jobs: [Job] = []
    var bytes = 0
    var isWorking = false
    var isTrimming = false
    /// The function that is called when all events in the queue are committed.
    var quiet: (@Sendable () -> Void)?
  }

  private let journal: EventJournal
  private let queue = DispatchQueue(label: "hub.ingest")
  private let state = Mutex(State())
  /// The largest number of bytes in the queue.
  private static let mostBytes = 64 << 20
  /// The number of seconds after which a failure is no longer reported.
  private static let forgetting = 30
  /// The largest number of events that are committed together.
  ///
  /// A single request may have more.
  private static let batch = 4000

  /// The number of received events.
  let accepted = Atomic<Int>(0)
  /// The time spent on writing the log, in nanoseconds.
  let nanoseconds = Atomic<Int>(0)

  /// The failure of the last write; nil if it succeeded, or failed more than 30 seconds ago.
  var lastFailure: Failure? {
    state.withLock { state in
      state.failure.flatMap { .now - $0.at < .seconds(Self.forgetting) ? $0.why : nil }
    }
  }

  /// Creates a queue for the given journal.
  ///
  /// Only the queue may write to the journal in this process.
  init(_ journal: EventJournal) {
    self.journal = journal
  }

  /// Sets the function that is called on the writing thread each time the queue becomes empty.
  func onQuiet(_ quiet: @escaping @Sendable () -> Void) {
    state.withLock { $0.quiet = quiet }
  }

  /// Appends the given events, either all or none.
  ///
  /// - Parameters:
  ///   - events: The events.
  ///   - bytes: The approximate size of the events.
  /// - Returns: The ids of the events, after they are in the log. If the `srcId` of an event is
  ///   already in the log, it is the existing id.
  /// - Throws: `Overloaded` if the queue holds too many bytes; `StorageFailed` if the log cannot be
  ///   written.
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

  /// Deletes some of the events beyond the log's limits, unless events are being written.
  func trim() {
    let starts = state.withLock { state in
      guard !state.isWorking, !state.isTrimming else { return false }
      state.isTrimming = true
      return true
    }
    guard starts else { return }
    queue.async { [self] in
      // If this fails, so does the next write, and its sender receives the failure.
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
      accepted.wrappingAdd(ids.count, ordering: .relaxed)
      state.withLock { $0.failure = nil }
      return .success(ids)
    } catch {
      var failure = error
      failure.retryAfterSeconds = failure.retryAfterSeconds ?? 5
      state.withLock { $0.failure = (failure, .now) }
      return .failure(failure)
    }
  }

  /// Returns the next jobs to commit together; nil if the queue is empty.
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
