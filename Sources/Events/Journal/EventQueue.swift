public import Core
import Foundation
import Synchronization

/// Takes encoded events from any thread and hands them on to a journal, or another sink, on one of its
/// own, in batches, so that nobody who reports an event waits for the disk.
///
/// It drops nothing itself: who makes events by the thousand waits while it is full. What was dropped
/// before it, and what the sink has no room for, is reported by one event with their number.
public final class EventQueue: Sendable {
  /// Makes the event that reports dropped ones; `isFull` if the sink had no room.
  public typealias Loss =
    @Sendable (_ count: Int, _ since: Timestamp, _ isFull: Bool) -> any Event

  /// Dropped events that are not reported yet.
  private struct Dropped {
    var count = 0
    var since = Timestamp.now
    var isFull = false
  }

  private struct State {
    var waiting: [EncodedEvent] = []
    var bytes = 0
    var dropped: Dropped?
    /// The instant at which dropped events were last reported.
    var toldAt: ContinuousClock.Instant?
    /// Who waits until all is written.
    var waiters: [DispatchSemaphore] = []
    var isEnding = false
  }

  /// The number of events that may wait, and that of their bytes.
  static let capacity = (events: 4000, bytes: 4 << 20)
  private static let batch = 1000
  private static let pause = 0.01

  private let sink: any EventSink
  private let loss: Loss
  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)

  /// Begins to wait for events.
  ///
  /// - Parameters:
  ///   - sink: Where they go; it is told what cannot be kept.
  ///   - loss: Makes the event that reports dropped ones.
  public init(_ sink: any EventSink, loss: @escaping Loss) {
    self.sink = sink
    self.loss = loss
    Thread.detachNewThread { [self] in drain() }
  }

  /// Encodes events and takes them; never waits.
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

  /// `true` if who makes events by the thousand is to wait; see ``flush(within:)``.
  public var isFull: Bool {
    state.withLock {
      $0.waiting.count >= Self.capacity.events || $0.bytes >= Self.capacity.bytes
    }
  }

  /// Counts events that were dropped before they were made.
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

  /// Waits until what was taken so far is written.
  ///
  /// - Parameter seconds: How long the log may take.
  /// - Returns: Whether it was written in time.
  @discardableResult
  public func flush(within seconds: Double) -> Bool {
    let done = DispatchSemaphore(value: 0)
    state.withLock { $0.waiters.append(done) }
    work.signal()
    return done.wait(timeout: .now() + seconds) == .success
  }

  /// Writes what waits and ends; where nothing can be written for some time, what is left is lost, and
  /// that is told.
  ///
  /// - Parameter seconds: How long the log may take nothing.
  public func end(within seconds: Double) {
    state.withLock { $0.isEnding = true }
    var count = state.withLock { $0.waiting.count }
    while !flush(within: seconds) {
      let left = state.withLock { $0.waiting.count }
      if left == 0 { return }
      guard left < count else {
        sink.note("cannot store events: the log is busy, at least \(left) are lost")
        return
      }
      count = left
    }
  }

  // MARK: Writing

  private func drain() {
    while true {
      work.wait()
      // Events come together: a moment later there is more to commit at once.
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
        // What they wait for was taken before they were.
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
    // There is room for nothing at all: later, or never, if this is the end.
    drop(dropped.count, since: dropped.since, isFull: true)
  }

  /// Returns what was dropped, where that is to be reported: once a second, when nothing waits, and as
  /// soon as there is room again; once a minute while there is none.
  private static func removeDue(_ state: inout State, isLast: Bool, _ hasRoom: Bool) -> Dropped? {
    guard let dropped = state.dropped else { return nil }
    let age = state.toldAt.map { ContinuousClock.now - $0 } ?? .seconds(3600)
    let isDue =
      hasRoom
      ? isLast || dropped.isFull || age > .seconds(1)
      : isLast && state.isEnding || age > .seconds(60)
    guard isDue else { return nil }
    state.dropped = nil
    state.toldAt = .now
    return dropped
  }
}
