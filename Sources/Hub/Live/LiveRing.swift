import Core
import Events
import NIOCore
import Synchronization

/// The newest events of the log, in memory, for all who follow it: each of them has a place in it.
///
/// Places are counted from 0 on, one for every event since the hub began; the oldest events go where
/// their bytes are more than 64 MB.
final class LiveRing: Sendable {
  /// Events that came together.
  final class Segment: Sendable {
    /// The place of the first of them.
    let first: Int
    let pack: EventPack
    /// The position before that of the first event that has an id.
    let start: EventPosition

    init(first: Int, pack: EventPack, after last: EventPosition) {
      (self.first, self.pack) = (first, pack)
      var start = pack.notes.lazy.compactMap { pack.position($0) }.first
      start?.sequence -= 1
      self.start = start ?? last
    }

    /// The place behind the last of them.
    var end: Int { first + pack.notes.count }

    /// The id of the event at a place; for a line without one, that of the last event before it.
    func id(at place: Int) -> String {
      Self.id(pack.notes[...(place - first)].reversed(), pack) ?? start.id
    }

    /// The id of the first event from a place on.
    func id(from place: Int) -> String? { Self.id(pack.notes[(place - first)...], pack) }

    private static func id(_ notes: some Sequence<EventPack.Note>, _ pack: EventPack) -> String? {
      notes.lazy.compactMap { pack.id($0) }.first.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The place of the first event behind a position.
    func place(after position: EventPosition) -> Int {
      let notes = pack.notes
      // Gaps, which have no id, lie before all events.
      var (low, high) = (notes.firstIndex { pack.id($0) != nil } ?? notes.count, notes.count)
      while low < high {
        let middle = (low + high) / 2
        if (pack.position(notes[middle])?.sequence ?? 0) <= position.sequence {
          low = middle + 1
        } else {
          high = middle
        }
      }
      return first + low
    }
  }

  /// Where somebody goes on who has read up to an event.
  enum Place: Sendable, Equatable {
    /// Here.
    case at(Int)
    /// It is not in memory: the log may still have what follows.
    case earlier
  }

  /// What is there from some place on.
  struct Slice: Sendable {
    var segments: [Segment]
    /// The first place that is still there.
    var first: Int
    /// The place of the next event that comes.
    var next: Int
  }

  private struct State {
    var segments = CircularBuffer<Segment>()
    var bytes = 0
    var next = 0
    /// The event before the place `next`.
    var last = EventPosition()
    var watchers: [@Sendable () -> Void] = []
    var waiting: [CheckedContinuation<Void, Never>] = []

    var first: Int { segments.first?.first ?? next }
  }

  private let state = Mutex(State())
  private let mostBytes: Int
  /// So many events may be in the log and not here yet.
  private static let mostAhead: Int64 = 100_000

  /// A ring that is empty.
  ///
  /// - Parameter mostBytes: How many bytes of events are kept.
  init(mostBytes: Int = 64_000_000) {
    self.mostBytes = mostBytes
  }

  /// Sets where the log is before the first event comes.
  func begin(after last: EventPosition) {
    state.withLock { $0.last = last }
  }

  /// Adds events of the log.
  ///
  /// - Parameters:
  ///   - lines: The events with their ids, and gaps before them.
  ///   - last: The position of the last event.
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

  /// Calls something after every publishing, on the thread that publishes.
  func onPublish(_ watcher: @escaping @Sendable () -> Void) {
    state.withLock { $0.watchers.append(watcher) }
  }

  /// Ends the waits of all who wait for more.
  func wakeAll() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until there are events behind a place, or ``wakeAll()``.
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

  /// The place of the next event that comes, and the event before it.
  var end: (place: Int, last: EventPosition) { state.withLock { ($0.next, $0.last) } }

  /// How many bytes of events are kept.
  var byteCount: Int { state.withLock(\.bytes) }

  /// What is there from a place on, so many segments at most.
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

  /// Where somebody goes on who has read up to an event.
  func place(after id: EventPosition) -> Place {
    state.withLock { state in
      guard id.epoch == state.last.epoch else { return .earlier }
      if id.sequence >= state.last.sequence {
        // What was not taken in yet is passed over when it comes; what is far ahead is no event.
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
  /// The first segment that ends behind a place.
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
