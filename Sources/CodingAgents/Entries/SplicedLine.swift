import Core

/// The records on a line that is no JSON object: a write was cut, or its line was not ended.
///
/// Zero bytes between records are skipped. A power failure may leave them in a file.
struct SplicedLine {
  /// The number of times that each byte of a line is scanned, at most.
  private static let effort = 16
  private static let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
  private static let (quote, escape) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))

  /// The records, in order.
  private(set) var records: [JSONObject] = []
  /// `true` if a part of the line belongs to no record.
  private(set) var isLossy = false

  /// Finds the records on the given line.
  init(_ line: [UInt8]) {
    var effort = Self.effort * line.count
    var isBoundary = true
    var place = Self.next(0, in: line)
    while let start = place {
      if let end = Self.end(of: start, in: line, &effort),
        isBoundary || Self.isBoundary(end, in: line),
        let record = JSONObject(Array(line[start..<end])),
        record.has("timestamp") || record.has("sessionId")
      {
        records.append(record)
        (place, isBoundary) = (Self.next(end, in: line), true)
      } else {
        (isLossy, isBoundary) = (true, false)
        let rest = line[(start + 1)...]
        place = effort > 0 ? rest.firstIndex(of: Self.open) : nil
      }
    }
    if records.isEmpty { isLossy = true }
  }

  /// Returns the place of the first byte from the given place on that is neither space nor zero.
  private static func next(_ start: Int, in line: [UInt8]) -> Int? {
    line[start...].firstIndex { $0 > 0x20 }
  }

  /// Returns `true` if the line ends at the given place, or another object begins there.
  ///
  /// An object within a record that was cut is followed by a comma or a bracket.
  private static func isBoundary(_ end: Int, in line: [UInt8]) -> Bool {
    next(end, in: line).map { line[$0] == open } ?? true
  }

  /// Returns the place behind the object that begins at the given place; nil if it does not end.
  private static func end(of start: Int, in line: [UInt8], _ effort: inout Int) -> Int? {
    guard line[start] == open, effort > 0 else { return nil }
    var (depth, isString, place) = (0, false, start)
    defer { effort -= place - start + 1 }
    while place < line.count {
      switch line[place] {
      case escape where isString: place += 1
      case quote: isString.toggle()
      case 0..<0x20 where isString: return nil
      case open where !isString: depth += 1
      case close where !isString:
        depth -= 1
        if depth == 0 { return place + 1 }
      default: break
      }
      place += 1
    }
    return nil
  }
}
