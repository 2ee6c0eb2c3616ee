public import Core
import Foundation
import Synchronization

/// Takes events from any thread and hands them on to a journal, or another sink, on one of its own, in batches, so that
/// nobody who tells an event waits for the disk.
///
/// It is bounded where its owner can tell of a loss: where events come faster than the log takes them,
/// the oldest logs below `warn` are dropped, and one event tells how many. Everything else is kept.
public final class EventQueue: Sendable {
  /// Makes the event that tells of dropped ones.
  public typealias Loss = @Sendable (_ count: Int, _ since: Timestamp) -> any Event

  private struct State {
    /// What waits; the place of an event that was dropped stays, empty, until it is reached.
    var waiting: [Entry?] = []
    /// Where droppable events may still be, from here on.
    var oldest = 0
    var count = 0
    var bytes = 0
    var dropped = 0
    var droppedSince: Timestamp?
    /// When it was last told how many were dropped.
    var toldAt: ContinuousClock.Instant?
    /// Who waits until all is written.
    var waiters: [DispatchSemaphore] = []
    var isEnding = false
  }

  private struct Entry {
    var event: any Event
    var bytes: Int
    var isDroppable: Bool
  }

  /// How many events may wait, and how many bytes of text, before some are dropped.
  static let capacity = (events: 20_000, bytes: 16 << 20)
  private static let batch = 1000
  private static let pause = 0.01

  private let sink: any EventSink
  private let loss: Loss?
  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)

  /// Begins to wait for events.
  ///
  /// - Parameters:
  ///   - sink: Where they go; it is told what cannot be kept.
  ///   - loss: Makes the event that tells of dropped ones; where there is none, all are kept.
  public init(_ sink: any EventSink, loss: Loss? = nil) {
    self.sink = sink
    self.loss = loss
    Thread.detachNewThread { [self] in drain() }
  }

  /// Takes events; never waits.
  public func add(_ events: [any Event]) {
    guard !events.isEmpty else { return }
    let isFirst = state.withLock { state in
      let isFirst = state.count == 0
      for event in events { Self.add(event, mayBeDropped: loss != nil, to: &state) }
      return isFirst
    }
    if isFirst { work.signal() }
  }

  /// How many events more may wait before some are dropped.
  public var room: Int {
    state.withLock { state in
      state.bytes >= Self.capacity.bytes ? 0 : max(0, Self.capacity.events - state.count)
    }
  }

  /// Counts events that were dropped before they were made.
  public func countDropped(_ count: Int, at now: Timestamp) {
    state.withLock { state in
      state.dropped += count
      state.droppedSince = state.droppedSince ?? now
    }
    work.signal()
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
    var count = state.withLock { $0.count }
    while !flush(within: seconds) {
      let left = state.withLock { $0.count }
      if left == 0 { return }
      guard left < count else {
        sink.note("events are not kept: the log is busy, \(left) and more are lost")
        return
      }
      count = left
    }
  }

  // MARK: Taking

  private static func add(_ event: any Event, mayBeDropped: Bool, to state: inout State) {
    let log = event as? Log
    let entry = Entry(
      event: event,
      bytes: 256 + (log?.body.message.utf8.count ?? event.quickLine?.count ?? 0),
      isDroppable: mayBeDropped && log.map { $0.body.level < .warn } ?? false)
    state.waiting.append(entry)
    state.count += 1
    state.bytes += entry.bytes
    while state.count > capacity.events || state.bytes > capacity.bytes {
      guard dropOldest(&state) else { return }
    }
  }

  private static func dropOldest(_ state: inout State) -> Bool {
    while state.oldest < state.waiting.count {
      let index = state.oldest
      state.oldest += 1
      guard let entry = state.waiting[index], entry.isDroppable else { continue }
      state.waiting[index] = nil
      state.count -= 1
      state.bytes -= entry.bytes
      state.dropped += 1
      state.droppedSince = state.droppedSince ?? Timestamp(milliseconds: entry.event.head.ts)
      compact(&state)
      return true
    }
    return false
  }

  /// Takes the empty places out once they are the most.
  private static func compact(_ state: inout State) {
    guard state.waiting.count > 2 * (state.count + batch) else { return }
    let kept = state.waiting[..<state.oldest].count { $0 != nil }
    state.waiting.removeAll { $0 == nil }
    state.oldest = kept
  }

  // MARK: Writing

  private func drain() {
    while true {
      work.wait()
      // Events come together: a moment later there is more to commit at once.
      if !isUrgent { Thread.sleep(forTimeInterval: Self.pause) }
      while true {
        let (waiters, isEnding) = state.withLock { ($0.waiters, $0.isEnding) }
        let events = next()
        guard events.isEmpty else {
          sink.record(events)
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

  private func next() -> [any Event] {
    let (events, dropped, since) = state.withLock { state in
      defer { if state.dropped == 0 { state.droppedSince = nil } }
      var events: [any Event] = []
      var end = 0
      while end < state.waiting.count, events.count < Self.batch {
        if let entry = state.waiting[end] {
          events.append(entry.event)
          state.count -= 1
          state.bytes -= entry.bytes
        }
        end += 1
      }
      state.waiting.removeFirst(end)
      state.oldest = max(0, state.oldest - end)
      return (events, Self.removeDueLoss(&state), state.droppedSince)
    }
    guard dropped > 0, let loss else { return events }
    return [loss(dropped, since ?? .now)] + events
  }

  /// How many were dropped, where that is to be told: once a second, and when nothing waits.
  private static func removeDueLoss(_ state: inout State) -> Int {
    let isDue = state.toldAt.map { $0 + .seconds(1) <= .now } ?? true
    guard state.dropped > 0, isDue || state.count == 0 else { return 0 }
    defer {
      state.dropped = 0
      state.toldAt = .now
    }
    return state.dropped
  }
}
