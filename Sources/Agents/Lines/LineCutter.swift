import Foundation

/// A splitter of a byte stream into lines.
///
/// Long lines are cut, so that memory is bounded.
///
/// A carriage return before a line feed is dropped. A line that begins as a JSON object may be
/// longer than others, because a cut object could not be parsed. The input may be split at any
/// byte.
struct LineCutter {
  /// A line without its line end.
  struct Line: Hashable {
    /// The bytes of the line, up to the limit.
    var bytes: [UInt8]
    /// The length of the whole line, in bytes.
    var length: Int

    /// `true` if the line was longer than the limit.
    var isCut: Bool { length > bytes.count }
  }

  /// The maximum number of bytes of one line that are stored.
  static let maximumLength = 64 << 10
  /// The maximum number of bytes of a line that begins as a JSON object.
  static let maximumJSONLength = 16 << 20

  private var line: [UInt8] = []
  private var length = 0
  /// `true` inside a line whose beginning was lost.
  private var isInLostLine = false
  /// The number of lines that were lost, whole or in part.
  private(set) var lost = 0

  /// Reads the next bytes, and emits each line that they complete.
  mutating func cut(_ bytes: UnsafeRawBufferPointer, _ emit: (Line) -> Void) {
    guard let start = bytes.baseAddress else { return }
    var index = 0
    if isInLostLine {
      guard let end = memchr(start, Int32(UInt8(ascii: "\n")), bytes.count) else { return }
      index = UnsafeRawPointer(end) - start + 1
      isInLostLine = false
      lost += 1
    }
    while let end = memchr(start + index, Int32(UInt8(ascii: "\n")), bytes.count - index) {
      let count = UnsafeRawPointer(end) - (start + index)
      let piece = UnsafeRawBufferPointer(start: start + index, count: count)
      if length == 0, count <= Self.maximumLength {
        // Most lines arrive in one piece.
        let isEnded = piece.last == UInt8(ascii: "\r")
        let bytes = isEnded ? Array(piece.dropLast()) : Array(piece)
        emit(Line(bytes: bytes, length: bytes.count))
      } else {
        add(piece)
        finish(emit)
      }
      index += count + 1
    }
    add(UnsafeRawBufferPointer(start: start + index, count: bytes.count - index))
  }

  /// Skips bytes of the stream that were lost.
  ///
  /// A line of which any part was lost counts as lost.
  ///
  /// - Parameters:
  ///   - lines: The number of line ends in the lost bytes.
  ///   - endsLine: `true` if the last lost byte ended a line.
  mutating func lose(lines: Int, endsLine: Bool) {
    line = []
    length = 0
    lost += lines
    isInLostLine = !endsLine
  }

  /// Counts the given number of complete lines as lost.
  mutating func count(lost lines: Int) { lost += lines }

  /// Returns the number of lines that were lost since the last call.
  mutating func removeLost() -> Int {
    defer { lost = 0 }
    return lost
  }

  /// Emits the last line if it lacks a line end.
  mutating func end(_ emit: (Line) -> Void) {
    if isInLostLine { lost += 1 }
    guard length > 0 else { return }
    finish(emit)
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    length += bytes.count
    let first = line.first ?? bytes.first
    let most = first == UInt8(ascii: "{") ? Self.maximumJSONLength : Self.maximumLength
    // One extra byte is stored, which may be a carriage return before the line feed.
    line.append(contentsOf: bytes.prefix(max(0, most + 1 - line.count)))
  }

  private mutating func finish(_ emit: (Line) -> Void) {
    defer {
      line = []
      length = 0
    }
    if length == line.count, line.last == UInt8(ascii: "\r") {
      line.removeLast()
      length -= 1
    }
    let most = line.first == UInt8(ascii: "{") ? Self.maximumJSONLength : Self.maximumLength
    if line.count > most { line.removeLast(line.count - most) }
    emit(Line(bytes: line, length: length))
  }
}
