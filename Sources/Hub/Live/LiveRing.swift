import Core
import Events
import NIOCore
import Synchronization

/// A buffer in memory that holds the newest events of the log for all subscribers.
///
/// Each subscriber has a place in it. A place is the index of an event, counted from 0 when the hub
/// started. If the ring exceeds 64 MB, the oldest events are dropped.
final class LiveRing: Sendable {
  /// Events that were published together.
  final class Segment: Sendable {
    /// The place of the first event.
    let first: Int
    let pack: EventPack
    /// The log position before the first event of the segment that has an id.
    let start: EventPosition

    init(first: Int, pack: EventPack, after last: EventPosition) {
      (self.first, self.pack) = (first, pack)
      var start = pack.entries.lazy.compactMap { pack.position($0) }.first
      start?.sequence -= 1
      self.start = start ?? last
    }

    /// The place after the last event.
    var end: Int { first + pack.entries.count }

    /// Returns the id of the event at the given place.
    ///
    /// If it has no id, returns the id of the last event before it that has one.
    func id(at place: Int) -> String {
      Self.id(pack.entries[...(place - first)].reversed(), pack) ?? start.id
    }

    /// Returns the id of the first event, starting at the given place, that has one.
    func id(from place: Int) -> String? { Self.id(pack.entries[(place - first)...], pack) }

    private static func id(_ entries: some Sequence<EventPack.Entry>, _ pack: EventPack) -> String?
    {
      entries.lazy.compactMap { pack.id($0) }.first.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the place of the first event after the given log position.
    func place(after position: EventPosition) -> Int {
      let entries = pack.entries
      // Gap records have no id and precede all events.
      var (low, high) = (entries.firstIndex { pack.id($0) != nil } ?? entries.count, entries.count)
      while low < high {
        let middle = (low + high) / 2
        if (pack.position(entries[middle])?.sequence ?? 0) <= position.sequence {
          low = middle + 1
        } else {
          high = middle
        }
      }
      return first + low
    }
  }

  /// The place from which a subscriber continues.
  enum Place: Sendable, Equatable {
    /// The given place in the ring.
    case at(Int)
    /// A place before the start of the ring.
    ///
    /// The log may still have the next events.
    case earlier
  }

  /// Segments of the ring, as ``slice(from:segments:)`` returns them.
  struct Slice: Sendable {
    var segments: [Segment]
    /// The first place that is still in the ring.
    var first: Int
    /// The place that the next published event will have.
    var next: Int
  }

  private struct State {
    var segments = CircularBuffer<Segment>()
    var bytes = 0
    var next = 0
    /// The log position of the event before the place `next`.
    var last = EventPosition()
    var watchers: [@Sendable () -> Void] = []
    var waiting: [CheckedContinuation<Void, Never>] = []

    var first: Int { segments.first?.first ?? next }
  }

  private let state = Mutex(State())
  private let mostBytes: Int
  /// The largest number of events by which the log may be ahead of the ring.
  private static let mostAhead: Int64 = 100_000

  /// Creates an empty ring.
  ///
  /// - Parameter mostBytes: The largest number of bytes of events.
  init(mostBytes: Int = 64_000_000) {
    self.mostBytes = mostBytes
  }

  /// Sets the log position of the last event before the ring begins.
  func begin(after last: EventPosition) {
    state.withLock { $0.last = last }
  }

  /// Publishes the given events of the log.
  ///
  /// - Parameters:
  ///   - lines: The events with their ids, preceded by gap records.
  ///   - last: The log position of the last event.
  func publish(_ lines: [String], upTo last: EventPosition) {
    guard !lines.isEmpty else { return }
    let pack = EventPack(lines)
    let (watchers, waiting) = state.withLock { state in
      let segment = Segment(first: state.next, pack: pack, after: state.last)
      state.segments.append(segment)
      state.bytes += pack.byteCount
      state.next = segment.end
      state.last = last
      while state.bytes > mostBytes, state.segments.count > 1 {
        state.bytes -= state.segments.removeFirst().pack.byteCount
      }
      defer { state.waiting = [] }
      return (state.watchers, state.waiting)
    }
    for watcher in watchers { watcher() }
    for continuation in waiting { continuation.resume() }
  }

  /// Registers a function that is called after each publication, on the thread that published.
  func onPublish(_ watcher: @escaping @Sendable () -> Void) {
    state.withLock { $0.watchers.append(watcher) }
  }

  /// Resumes all subscribers that wait.
  func wakeAll() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the ring has an event at the given place, or until ``wakeAll()`` is called.
  func more(than place: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.next > place { return true }
        state.waiting.append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// The place that the next published event will have, and the log position of the event before
  /// it.
  var end: (place: Int, last: EventPosition) { state.withLock { ($0.next, $0.last) } }

  /// The number of bytes of events in the ring.
  var byteCount: Int { state.withLock(\.bytes) }

  /// Returns the segments that end after the given place, at most `limit` of them.
  func slice(from place: Int, segments limit: Int = 64) -> Slice {
    state.withLock { state in
      let start = state.segments.firstIndex(behind: place)
      let end =
        state.segments.index(
          start, offsetBy: limit, limitedBy: state.segments.endIndex) ?? state.segments.endIndex
      return Slice(
        segments: Array(state.segments[start..<end]), first: state.first, next: state.next)
    }
  }

  /// Returns the place from which a subscriber continues after the event at the given log position.
  func place(after id: EventPosition) -> Place {
    state.withLock { state in
      guard id.epoch == state.last.epoch else { return .earlier }
      if id.sequence >= state.last.sequence {
        // Events up to `id` are skipped when they are published. A position far ahead of the ring
        // is invalid.
        let isNear = id.sequence - state.last.sequence <= Self.mostAhead
        return isNear ? .at(state.next) : .earlier
      }
      guard
        let segment = state.segments.last(where: {
          $0.start.epoch == id.epoch && $0.start.sequence <= id.sequence
        })
      else { return .earlier }
      return .at(segment.place(after: id))
    }
  }
}

extension CircularBuffer<LiveRing.Segment> {
  /// Returns the index of the first segment that ends after the given place.
  fileprivate func firstIndex(behind place: Int) -> Index {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[index(startIndex, offsetBy: middle)].end <= place {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return index(startIndex, offsetBy: low)
  }
}
