import Foundation

/// A search of a stream for lines that begin as a JSON object.
///
/// The stream is not cut into lines for this.
struct RecordFinder {
  private let isNeeded: Bool
  /// `true` if the next byte is the first byte of a line.
  private var isAtStart = true
  /// `true` if the next byte belongs to a line that began as a JSON object.
  private var isInObject = false

  private static let brace = UInt8(ascii: "{")
  private static let lineFeed = UInt8(ascii: "\n")

  /// Creates a search.
  ///
  /// If `isNeeded` is `false`, the stream is not searched.
  init(isNeeded: Bool) { self.isNeeded = isNeeded }

  /// Returns `true` if the next piece of the stream contains a part of such a line.
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
