import Foundation

/// Splits bytes into lines, in whatever pieces they come; a long line is cut, so that memory is
/// bounded.
///
/// A carriage return before a line feed is dropped. What begins as JSON may be longer than other
/// lines: cut, it could not be read.
struct LineCutter {
  /// One line without its end.
  struct Line: Hashable {
    /// Its bytes, as many as are kept.
    var bytes: [UInt8]
    /// How many bytes it had.
    var length: Int

    /// Whether some are missing.
    var isCut: Bool { length > bytes.count }
  }

  /// The most bytes of a line that are kept.
  static let maximumLength = 64 << 10
  /// The same of one that begins as a JSON object.
  static let maximumJSONLength = 16 << 20

  private var line: [UInt8] = []
  private var length = 0
  /// Whether the end of a line comes next whose beginning is lost.
  private var isInLostLine = false
  /// How many lines are lost, whole or in part.
  private(set) var lost = 0

  /// Cuts bytes into lines and hands over those that end in them.
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
        // Most lines come whole.
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

  /// Passes over bytes that are lost, and over the lines of which they hold a part.
  ///
  /// - Parameters:
  ///   - lines: How many lines ended in them.
  ///   - endsLine: Whether the last of them ended with the last byte.
  mutating func lose(lines: Int, endsLine: Bool) {
    line = []
    length = 0
    lost += lines
    isInLostLine = !endsLine
  }

  /// Counts whole lines that were taken out of the bytes before they came here.
  mutating func count(lost lines: Int) { lost += lines }

  /// How many lines were lost since this was asked last.
  mutating func removeLost() -> Int {
    defer { lost = 0 }
    return lost
  }

  /// Hands over a last line that has no end.
  mutating func end(_ emit: (Line) -> Void) {
    if isInLostLine { lost += 1 }
    guard length > 0 else { return }
    finish(emit)
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    length += bytes.count
    let first = line.first ?? bytes.first
    let most = first == UInt8(ascii: "{") ? Self.maximumJSONLength : Self.maximumLength
    // One byte more: it may be the carriage return before the end.
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
