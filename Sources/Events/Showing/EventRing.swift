/// A buffer of the newest events, in at most 25 MB of memory.
///
/// If there is no room for a new event, the oldest events are dropped.
final class EventRing {
  /// The number of bytes that store the length of an event, before the event itself.
  private static let headerSize = 4

  private(set) var count = 0
  private var cameCount = 0
  private let maximumCount: Int
  private let capacity: Int
  private let base: UnsafeMutablePointer<UInt8>
  private var start = 0
  private var used = 0

  /// Creates an empty ring.
  ///
  /// - Parameters:
  ///   - maximumCount: The largest number of events.
  ///   - capacity: The size of the memory in bytes. The system allocates only the part that is
  ///     used.
  init(maximumCount: Int, capacity: Int = 25_000_000) {
    self.maximumCount = maximumCount
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit {
    base.deallocate()
  }

  /// Appends the given event as the newest one.
  func append(_ line: UnsafeBufferPointer<UInt8>) {
    guard maximumCount > 0 else { return }
    cameCount += 1
    if count == maximumCount { removeFirst() }
    let size = Self.headerSize + line.count
    while count > 0, used + size > capacity { removeFirst() }
    guard size <= capacity else { return }
    withUnsafeBytes(of: UInt32(line.count).littleEndian) { copyIn($0) }
    copyIn(UnsafeRawBufferPointer(line))
    count += 1
  }

  /// The number of requested last events that are missing, because there was no room for them.
  ///
  /// The number is valid until an event is removed.
  var missingCount: Int { min(cameCount, maximumCount) - count }

  /// Removes and returns the oldest event.
  func removeOldest() -> [UInt8]? {
    guard count > 0 else { return nil }
    let length = firstLength
    let line = bytes(at: Self.headerSize, count: length)
    removeFirst()
    return line
  }

  private func removeFirst() {
    let size = Self.headerSize + firstLength
    start = (start + size) % capacity
    used -= size
    count -= 1
  }

  private var firstLength: Int {
    bytes(at: 0, count: Self.headerSize).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Copies the given bytes behind the stored bytes.
  ///
  /// At the end of the memory, continues at its start.
  private func copyIn(_ source: UnsafeRawBufferPointer) {
    let at = (start + used) % capacity
    let fitting = min(source.count, capacity - at)
    let memory = UnsafeMutableRawBufferPointer(start: base, count: capacity)
    UnsafeMutableRawBufferPointer(rebasing: memory[at..<(at + fitting)])
      .copyBytes(from: source.prefix(fitting))
    memory.copyBytes(from: source.dropFirst(fitting))
    used += source.count
  }

  private func bytes(at offset: Int, count: Int) -> [UInt8] {
    let at = (start + offset) % capacity
    let memory = UnsafeBufferPointer(start: base, count: capacity)
    let fitting = min(count, capacity - at)
    return Array(memory[at..<(at + fitting)]) + Array(memory[0..<(count - fitting)])
  }
}
