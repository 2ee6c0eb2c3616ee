import Foundation

/// A search for pieces of a stream with lines that begin as a JSON object, without cutting lines.
struct RecordFinder {
  private let isNeeded: Bool
  /// `true` if the next byte begins a line.
  private var isAtStart = true
  /// `true` if the next byte belongs to a line that began as an object.
  private var isInObject = false

  private static let brace = UInt8(ascii: "{")
  private static let lineFeed = UInt8(ascii: "\n")

  /// Creates the finder of a stream; a stream that cannot hold records is not searched.
  init(isNeeded: Bool) { self.isNeeded = isNeeded }

  /// Returns `true` if some of the next bytes belong to such a line.
  mutating func holdsRecords(_ piece: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard isNeeded, let first = piece.first, let last = piece.last else { return false }
    let bytes = UnsafeRawBufferPointer(rebasing: piece)
    let wasInObject = isInObject || isAtStart && first == Self.brace
    defer { isAtStart = last == Self.lineFeed }
    guard Self.next(Self.brace, in: bytes, from: 0) != nil else {
      isInObject = wasInObject && Self.next(Self.lineFeed, in: bytes, from: 0) == nil
      return wasInObject
    }
    var found = wasInObject
    var isObject = wasInObject
    var index = 0
    while let end = Self.next(Self.lineFeed, in: bytes, from: index) {
      isObject = end + 1 < bytes.count && bytes[end + 1] == Self.brace
      found = found || isObject
      index = end + 1
    }
    isInObject = isObject
    return found
  }

  private static func next(
    _ byte: UInt8, in bytes: UnsafeRawBufferPointer, from index: Int
  ) -> Int? {
    guard index < bytes.count, let start = bytes.baseAddress,
      let place = memchr(start + index, Int32(byte), bytes.count - index)
    else { return nil }
    return UnsafeRawPointer(place) - start
  }
}
