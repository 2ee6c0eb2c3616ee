/// A part of a text, which is given by an offset and a maximum length in Unicode scalars.
///
/// The end of a part is the offset of the next part. White space at the cut belongs to the next
/// part, so that nothing is lost.
struct TextCut {
  /// The range of the part, in bytes.
  let range: Range<Int>
  /// The number of scalars of the part.
  let characters: Int
  /// The number of scalars of the whole text.
  let total: Int
  /// `true` if text follows the part.
  let isCut: Bool

  /// Cuts the given text at the last possible block boundary.
  ///
  /// There is one exception. If the part would be shorter than half of the limit and the next block
  /// is longer than the limit, the cut is between two words in the last tenth of the limit. If
  /// there is no such place, the cut is between two characters.
  ///
  /// - Parameters:
  ///   - bytes: The text, in valid UTF-8.
  ///   - offset: The number of scalars to skip.
  ///   - limit: The maximum number of scalars; 0 means no limit.
  ///   - boundaries: The byte offsets of the ends of blocks, in order. If there are none, blank
  ///     lines are used.
  ///   - isMarkdown: `true` to keep links, table rows and fences whole.
  init(
    _ bytes: [UInt8], offset: Int, limit: Int, boundaries: [Int] = [], isMarkdown: Bool = false
  ) {
    total = Scalars.count(bytes[...])
    let start = Scalars.index(offset, after: 0, in: bytes)
    let most = limit > 0 ? Scalars.index(limit, after: start, in: bytes) : bytes.count
    guard most < bytes.count else {
      range = start..<bytes.count
      characters = Scalars.count(bytes[range])
      isCut = false
      return
    }
    let half = Scalars.index(limit / 2, after: start, in: bytes)
    var end = Self.lastBoundary(boundaries, in: bytes, from: start, upTo: most)
    if let found = end, found <= half {
      // A block that fits the limit is not cut, but belongs to the next part.
      let next = boundaries.first { $0 > most } ?? bytes.count
      if boundaries.isEmpty || next > Scalars.index(limit, after: found, in: bytes) { end = nil }
    }
    if end == nil {
      end =
        isMarkdown
        ? MarkdownCut.end(in: bytes, from: start, upTo: most)
        : Self.wordEnd(in: bytes, from: start, upTo: most)
    }
    let found = end ?? Self.clusterEnd(in: bytes, from: start, upTo: most)
    range = start..<Self.withoutTrailingSpace(bytes, start..<found)
    characters = Scalars.count(bytes[range])
    isCut = true
  }

  private static func lastBoundary(
    _ boundaries: [Int], in bytes: [UInt8], from start: Int, upTo end: Int
  ) -> Int? {
    if !boundaries.isEmpty { return boundaries.last { $0 <= end && $0 > start } }
    var index = end
    while index > start + 1 {
      if bytes[index - 1] == 0x0A, bytes[index - 2] == 0x0A { return index - 2 }
      index -= 1
    }
    return nil
  }

  private static func wordEnd(in bytes: [UInt8], from start: Int, upTo end: Int) -> Int? {
    let nearest = end - (end - start) / 10
    var index = end
    while index > nearest {
      if isSpace(bytes[index]) { return index }
      index -= 1
    }
    return nil
  }

  /// Returns the end of the given range without trailing white space.
  ///
  /// If the range contains only white space, its end is returned.
  static func withoutTrailingSpace(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
    let last = bytes[range].lastIndex { !isSpace($0) }
    return last.map { $0 + 1 } ?? range.upperBound
  }

  private static func clusterEnd(in bytes: [UInt8], from start: Int, upTo end: Int) -> Int {
    // A cluster that is longer than this is not a letter, and can be cut anywhere.
    let window = 128
    var first = max(start, end - window)
    while first > start, bytes[first] & 0xC0 == 0x80 { first -= 1 }
    var stop = min(bytes.count, end + window)
    while stop < bytes.count, bytes[stop] & 0xC0 == 0x80 { stop += 1 }
    let text = String(decoding: bytes[first..<stop], as: UTF8.self)
    var boundary = first
    for character in text {
      let next = boundary + character.utf8.count
      if next > end { break }
      boundary = next
    }
    return boundary > first ? boundary : end
  }
}

/// The counting of Unicode scalars in UTF-8 text, by their first bytes.
enum Scalars {
  static func count(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBufferPointer { buffer in
      var count = 0
      for byte in buffer where byte & 0xC0 != 0x80 { count += 1 }
      return count
    }
  }

  /// Returns the index that is `count` scalars after `start`; the end of the text if it is shorter.
  static func index(_ count: Int, after start: Int, in bytes: [UInt8]) -> Int {
    guard count > 0 else { return start }
    var left = count
    var index = start
    while index < bytes.count {
      if bytes[index] & 0xC0 != 0x80 {
        if left == 0 { return index }
        left -= 1
      }
      index += 1
    }
    return index
  }
}
