import Core
import Foundation
import Synchronization

/// A bounded queue of output that was passed on but not yet recorded.
///
/// One thread reads the output, and another cuts it into lines. If the queue is full, the oldest
/// bytes are replaced by the number of their lines. The command therefore never waits for its
/// events. Bytes that may contain records, such as those of a coding agent, are dropped last.
final class LineBacklog: Sendable {
  /// The next part of the stream.
  enum Item: Sendable {
    /// The first `count` bytes of a buffer.
    ///
    /// `lost` lines were removed from them.
    case bytes([UInt8], count: Int, lost: Int = 0)
    /// Bytes that were dropped.
    ///
    /// `lines` is the number of line ends in them. `endsLine` is `true` if the last byte ended a
    /// line.
    case gap(lines: Int, endsLine: Bool)
    case end
  }

  private struct Entry {
    var item: Item
    var count = 0
    var holdsRecords = false
  }

  private struct State {
    var entries: [Entry] = []
    /// The number of queued bytes that may contain records.
    ///
    /// `others` counts all other bytes.
    var records = 0
    var others = 0
    var spare: [[UInt8]] = []
    var hasEnded = false
    /// `true` if output arrives faster than it is read from the queue.
    var isFlooded = false
    /// The time at which the next part of a flood is read from the queue.
    var due: ContinuousClock.Instant?
    var isWaiting = false
  }

  /// The maximum number of bytes in one read.
  static let pieceSize = 128 << 10
  /// The maximum number of queued bytes, for bytes that may contain records and for others.
  private static let capacity = (records: 8 << 20, others: 1 << 20)
  /// The number of bytes at the end of a flood that always stay in the queue.
  private static let restOfFlood = 128 << 10
  /// The number of lines at the end of each piece that are never removed, usually and in a flood.
  ///
  /// A run ends after its last events are stored, so a piece of short lines must not become more.
  private static let lastKept = (usually: 1000, inFlood: 200)
  /// The interval at which parts of a flood are read.
  ///
  /// The pause leaves the processor to the command.
  private static let pause: Duration = .milliseconds(100)
  /// The size in bytes below which a piece is merged with the next one.
  private static let smallPiece = 16 << 10

  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)

  /// Returns a buffer of ``pieceSize`` bytes.
  func room() -> [UInt8] {
    state.withLock { $0.spare.popLast() } ?? [UInt8](repeating: 0, count: Self.pieceSize)
  }

  /// Returns the given buffer to the queue for reuse.
  func recycle(_ bytes: [UInt8]) {
    state.withLock { state in
      if state.spare.count < 8 { state.spare.append(bytes) }
    }
  }

  /// Adds the first `count` bytes of the given buffer, without waiting.
  func add(_ bytes: [UInt8], count: Int, holdsRecords: Bool) {
    let isAwaited = state.withLock { state in
      Self.append(bytes, count, holdsRecords, to: &state)
      state.records += holdsRecords ? count : 0
      state.others += holdsRecords ? 0 : count
      if state.records > Self.capacity.others { state.isFlooded = true }
      while state.others > (state.isFlooded ? Self.restOfFlood : Self.capacity.others)
        || state.records > Self.capacity.records
      {
        let isFull = state.records > Self.capacity.records
        guard Self.dropOldest(&state, holdingRecords: isFull) else { break }
      }
      defer { state.isWaiting = false }
      return state.isWaiting && !Self.isPaused(state)
    }
    if isAwaited { work.signal() }
  }

  /// Marks the end of the stream.
  func end() {
    state.withLock { $0.hasEnded = true }
    work.signal()
  }

  /// `true` if output arrives faster than it is read from the queue.
  var isFlooded: Bool { state.withLock { $0.isFlooded } }

  /// Waits for the next item and returns it.
  func next() -> Item {
    while true {
      let (item, isFlooded, due) = state.withLock { state in
        Self.next(from: &state)
      }
      if let item {
        return Self.thinned(item, to: isFlooded ? Self.lastKept.inFlood : Self.lastKept.usually)
      }
      let left = due.map { max(0, Int(($0 - .now) / .milliseconds(1)) + 1) }
      // The state is checked again after a signal or a timeout.
      _ = work.wait(timeout: left.map { .now() + .milliseconds($0) } ?? .distantFuture)
    }
  }

  private static func next(
    from state: inout State
  ) -> (item: Item?, isFlooded: Bool, due: ContinuousClock.Instant?) {
    guard let first = state.entries.first else {
      state.isFlooded = false
      state.isWaiting = !state.hasEnded
      return (state.hasEnded ? .end : nil, false, nil)
    }
    if isPaused(state) {
      state.isWaiting = true
      return (nil, true, state.due)
    }
    if state.isFlooded, first.count > 0, !first.holdsRecords { state.due = .now + pause }
    remove(0, from: &state)
    return (first.item, state.isFlooded, nil)
  }

  /// Removes complete lines from the given bytes.
  ///
  /// The given number of last lines, warnings and lines that may be records are kept.
  private static func thinned(_ item: Item, to last: Int) -> Item {
    guard case .bytes(var bytes, let count, _) = item else { return item }
    let ends = bytes.withUnsafeBytes { lines(in: $0.prefix(count)) }
    guard ends > last + 1 else { return item }
    var lost = 0
    let kept = bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      var (start, end, line) = (0, 0, 0)
      func copy(upTo next: Int) {
        memmove(base + end, base + start, next - start)
        end += next - start
      }
      while let lineFeed = memchr(base + start, Int32(UInt8(ascii: "\n")), count - start) {
        let next = lineFeed - base + 1
        // The first line may have begun in earlier bytes.
        if line == 0 || line >= ends - last || matters(buffer[start..<(next - 1)]) {
          copy(upTo: next)
        } else {
          lost += 1
        }
        (start, line) = (next, line + 1)
      }
      copy(upTo: count)
      return end
    }
    return .bytes(bytes, count: kept, lost: lost)
  }

  private static func matters(_ line: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
    line.first == UInt8(ascii: "{") || LineLevel.of(Array(line)) >= .warn
  }

  private static func isPaused(_ state: State) -> Bool {
    guard state.isFlooded, !state.hasEnded, let due = state.due, due > .now else { return false }
    return state.entries.first.map { !$0.holdsRecords } ?? false
  }

  private static func append(
    _ bytes: [UInt8], _ count: Int, _ holdsRecords: Bool, to state: inout State
  ) {
    let last = state.entries.count - 1
    if count <= smallPiece, last >= 0, state.entries[last].holdsRecords == holdsRecords,
      case .bytes(var whole, let present, _) = state.entries[last].item,
      present + count <= pieceSize
    {
      // With no second owner, the bytes are changed in place.
      state.entries[last].item = .end
      whole.replaceSubrange(present..<(present + count), with: bytes[..<count])
      state.entries[last].item = .bytes(whole, count: present + count)
      state.entries[last].count += count
      if state.spare.count < 8 { state.spare.append(bytes) }
      return
    }
    state.entries.append(
      Entry(item: .bytes(bytes, count: count), count: count, holdsRecords: holdsRecords))
  }

  private static func remove(_ index: Int, from state: inout State) {
    let entry = state.entries.remove(at: index)
    state.records -= entry.holdsRecords ? entry.count : 0
    state.others -= entry.holdsRecords ? 0 : entry.count
  }

  /// Replaces the oldest bytes of one kind by a gap.
  ///
  /// The newest entry is kept.
  private static func dropOldest(_ state: inout State, holdingRecords: Bool) -> Bool {
    guard
      var index = state.entries.dropLast().firstIndex(where: {
        $0.count > 0 && $0.holdsRecords == holdingRecords
      }), case .bytes(let bytes, let count, _) = state.entries[index].item
    else { return false }
    state.isFlooded = true
    remove(index, from: &state)
    var lines = bytes.withUnsafeBytes { Self.lines(in: $0.prefix(count)) }
    var endsLine = bytes[count - 1] == UInt8(ascii: "\n")
    if state.spare.count < 8 { state.spare.append(bytes) }
    // Adjacent gaps are merged.
    if index < state.entries.count, case .gap(let more, let ends) = state.entries[index].item {
      (lines, endsLine) = (lines + more, ends)
      state.entries.remove(at: index)
    }
    if index > 0, case .gap(let more, _) = state.entries[index - 1].item {
      lines += more
      index -= 1
      state.entries.remove(at: index)
    }
    state.entries.insert(Entry(item: .gap(lines: lines, endsLine: endsLine)), at: index)
    return true
  }

  /// Returns the number of line ends in the given bytes.
  ///
  /// Eight bytes are examined at a time, so that a flood is counted as fast as it arrives.
  static func lines(in bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let even: UInt64 = 0x00FF_00FF_00FF_00FF
    let lineFeeds = ones &* UInt64(UInt8(ascii: "\n"))
    var (count, index) = (0, 0)
    while index &+ 8 <= bytes.count {
      // The eight counts of one byte each; none can overflow.
      var counts: UInt64 = 0
      let end = min(bytes.count &- 7, index &+ 8 &* 255)
      while index < end {
        let other = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ lineFeeds
        // The sum sets the highest bit of exactly those bytes that are not 0.
        counts &+= ~(((other & low) &+ low) | other | low) &>> 7
        index &+= 8
      }
      let pairs = (counts & even) &+ ((counts &>> 8) & even)
      count &+= Int((pairs &* 0x0001_0001_0001_0001) &>> 48)
    }
    for byte in bytes[index...] where byte == UInt8(ascii: "\n") { count += 1 }
    return count
  }
}
