/// The newest events, in no more memory than 25 MB: the oldest make room for a new one.
final class EventRing {
  /// Where each event's length is kept, in front of it.
  private static let headerSize = 4

  private(set) var count = 0
  private var cameCount = 0
  private let maximumCount: Int
  private let capacity: Int
  private let base: UnsafeMutablePointer<UInt8>
  private var start = 0
  private var used = 0

  /// Creates a ring that is empty.
  ///
  /// - Parameters:
  ///   - maximumCount: How many events are kept at most.
  ///   - capacity: In how many bytes; the system gives those that are used.
  init(maximumCount: Int, capacity: Int = 25_000_000) {
    self.maximumCount = maximumCount
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit {
    base.deallocate()
  }

  /// Adds an event as the newest.
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

  /// How many of the events wanted are not there for want of room, until one is taken out.
  var missingCount: Int { min(cameCount, maximumCount) - count }

  /// Removes the oldest event and gives it.
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

  /// Copies in behind what is there; the end of the memory is followed by its start.
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
