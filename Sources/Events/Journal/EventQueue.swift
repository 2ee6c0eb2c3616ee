public import Core
import Foundation
import Synchronization

/// A queue that accepts encoded events on any thread and passes them to a sink in batches.
///
/// A separate thread writes the batches, so that no caller waits for the disk. The queue itself
/// drops no events. Producers of many events should wait while ``isFull`` is `true`. If a producer
/// drops events, or if the sink has no room for them, one event reports their number.
public final class EventQueue: Sendable {
  /// A function that creates the event that reports the number of dropped events.
  ///
  /// `isFull` is `true` if they were dropped because the sink had no room.
  public typealias Loss =
    @Sendable (_ count: Int, _ since: Timestamp, _ isFull: Bool) -> any Event

  /// The dropped events that were not reported yet.
  private struct Dropped {
    var count = 0
    var since = Timestamp.now
    var isFull = false
  }

  private struct State {
    var waiting: [EncodedEvent] = []
    var bytes = 0
    var dropped: Dropped?
    /// The time of the last report of dropped events.
    var reportedAt: ContinuousClock.Instant?
    /// The callers that wait until all events are written.
    var waiters: [DispatchSemaphore] = []
    var isEnding = false
  }

  /// The limits above which the queue is full: a number of waiting events, and their total bytes.
  static let capacity = (events: 4000, bytes: 4 << 20)
  private static let batch = 1000
  private static let pause = 0.01

  private let sink: any EventSink
  private let loss: Loss
  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)

  /// Creates a queue and starts the thread that writes its events.
  ///
  /// - Parameters:
  ///   - sink: The destination of the events. It also receives reports of failures.
  ///   - loss: A function that creates the event that reports dropped events.
  public init(_ sink: any EventSink, loss: @escaping Loss) {
    self.sink = sink
    self.loss = loss
    Thread.detachNewThread { [self] in drain() }
  }

  /// Encodes the given events and adds them to the queue, without waiting.
  public func add(_ events: [any Event]) {
    let lines = events.compactMap { sink.encoded($0) }
    guard !lines.isEmpty else { return }
    let isFirst = state.withLock { state in
      defer {
        state.waiting += lines
        state.bytes += lines.reduce(0) { $0 + $1.line.count }
      }
      return state.waiting.isEmpty
    }
    if isFirst { work.signal() }
  }

  /// `true` if producers of many events should wait by calling ``flush(within:)``.
  public var isFull: Bool {
    state.withLock {
      $0.waiting.count >= Self.capacity.events || $0.bytes >= Self.capacity.bytes
    }
  }

  /// Counts events that the caller dropped before it created them.
  public func countDropped(_ count: Int, at now: Timestamp) {
    drop(count, since: now, isFull: false)
    work.signal()
  }

  private func drop(_ count: Int, since: Timestamp, isFull: Bool) {
    state.withLock { state in
      var dropped = state.dropped ?? Dropped(since: since)
      dropped.count += count
      dropped.isFull = dropped.isFull || isFull
      state.dropped = dropped
    }
  }

  /// Waits until all enqueued events are written.
  ///
  /// - Parameter seconds: The longest wait.
  /// - Returns: `true` if the events were written in time.
  @discardableResult
  public func flush(within seconds: Double) -> Bool {
    let done = DispatchSemaphore(value: 0)
    state.withLock { $0.waiters.append(done) }
    work.signal()
    return done.wait(timeout: .now() + seconds) == .success
  }

  /// Writes the waiting events and stops.
  ///
  /// If no event can be written for the given seconds, the remaining events are lost, and the
  /// sink's ``EventSink/note`` reports that.
  ///
  /// - Parameter seconds: The longest time without progress.
  public func end(within seconds: Double) {
    state.withLock { $0.isEnding = true }
    var count = state.withLock { $0.waiting.count }
    while !flush(within: seconds) {
      let left = state.withLock { $0.waiting.count }
      if left == 0 { return }
      guard left < count else {
        sink.report("cannot store events: the log is busy, at least \(left) are lost")
        return
      }
      count = left
    }
  }

  // MARK: Writing

  private func drain() {
    while true {
      work.wait()
      // Events come in bursts. After a short pause, more events can be committed together.
      if !isUrgent { Thread.sleep(forTimeInterval: Self.pause) }
      while true {
        let (waiters, isEnding) = state.withLock { ($0.waiters, $0.isEnding) }
        let (events, dropped) = next()
        if let dropped { report(dropped) }
        guard events.isEmpty else {
          write(events)
          if !isUrgent, events.count < Self.batch { Thread.sleep(forTimeInterval: Self.pause) }
          continue
        }
        // The events that the waiters wait for were enqueued before them, so they are written now.
        state.withLock { $0.waiters.removeFirst(waiters.count) }
        for waiter in waiters { waiter.signal() }
        if isEnding { return }
        break
      }
    }
  }

  private var isUrgent: Bool { state.withLock { !$0.waiters.isEmpty } }

  private func next() -> (events: [EncodedEvent], dropped: Dropped?) {
    let hasRoom = sink.hasRoom
    return state.withLock { state in
      let events = Array(state.waiting.prefix(Self.batch))
      state.waiting.removeFirst(events.count)
      state.bytes -= events.reduce(0) { $0 + $1.line.count }
      return (events, Self.removeDue(&state, isLast: state.waiting.isEmpty, hasRoom))
    }
  }

  private func write(_ events: [EncodedEvent]) {
    let refused = sink.record(events)
    guard refused > 0 else { return }
    drop(refused, since: Timestamp(milliseconds: events.first?.ts ?? 0), isFull: true)
  }

  private func report(_ dropped: Dropped) {
    let event = loss(dropped.count, dropped.since, dropped.isFull)
    guard let line = sink.encoded(event), sink.record([line]) > 0 else { return }
    // The sink has no room even for the report. The next attempt sends it, unless the queue ends.
    drop(dropped.count, since: dropped.since, isFull: true)
  }

  /// Removes and returns the dropped events if their report is due; otherwise returns nil.
  ///
  /// If the sink has no room, a report is due once per minute. Otherwise it is due once per second,
  /// and also when the queue becomes empty or room becomes available again.
  private static func removeDue(_ state: inout State, isLast: Bool, _ hasRoom: Bool) -> Dropped? {
    guard let dropped = state.dropped else { return nil }
    let age = state.reportedAt.map { ContinuousClock.now - $0 } ?? .seconds(3600)
    let isDue =
      hasRoom
      ? isLast || dropped.isFull || age > .seconds(1)
      : isLast && state.isEnding || age > .seconds(60)
    guard isDue else { return nil }
    state.dropped = nil
    state.reportedAt = .now
    return dropped
  }
}
