import Core
import Foundation

/// A buffer of unprocessed bytes, followed by the padding that ``LineScanner`` needs.
struct LineBuffer: ~Copyable {
  private static let firstCapacity = 1 << 18
  private static let leastRoom = 1 << 16

  private var base: UnsafeMutablePointer<UInt8>
  private var capacity = firstCapacity
  private var start = 0
  private var filled = 0
  /// The end of the bytes that are known to contain no line feed.
  private var searched = 0

  init() {
    base = Self.allocated(Self.firstCapacity)
  }

  deinit {
    base.deallocate()
  }

  private static func allocated(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    let base = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + LineScanner.padding)
    base.initialize(repeating: 0, count: capacity + LineScanner.padding)
    return base
  }

  /// The number of bytes in the partial line at the end of the buffer.
  var waiting: Int { filled - start }

  /// Makes room for more bytes, and calls `read` to fill it.
  mutating func fill(
    _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    makeRoom()
    // One byte is reserved for the line feed of an unterminated last line.
    let room = UnsafeMutableRawBufferPointer(start: base + filled, count: capacity - filled - 1)
    let count = try read(room)
    filled += count
    return count
  }

  private mutating func makeRoom() {
    if start > 0 {
      memmove(base, base + start, filled - start)
      filled -= start
      searched -= start
      start = 0
    }
    guard capacity - filled <= Self.leastRoom else { return }
    let larger = Self.allocated(capacity * 2)
    memcpy(larger, base, filled)
    base.deallocate()
    base = larger
    capacity *= 2
  }

  /// Removes and returns the complete lines, up to the last line feed; nil if there are none.
  mutating func lines() -> UnsafeBufferPointer<UInt8>? {
    var end = filled
    while end > searched, base[end - 1] != UInt8(ascii: "\n") { end -= 1 }
    guard end > searched else {
      searched = filled
      return nil
    }
    defer {
      start = end
      searched = filled
    }
    return UnsafeBufferPointer(start: base + start, count: end - start)
  }

  /// Discards the bytes of the partial line.
  mutating func dropWaiting() {
    start = filled
    searched = filled
  }

  /// Adds a line feed to an unterminated last line.
  mutating func endLine() {
    base[filled] = UInt8(ascii: "\n")
    filled += 1
  }
}
