/// A text cut to a number of Unicode scalars.
struct TextCut {
  /// What was kept.
  var text: String
  /// Scalars that were kept.
  var characters: Int
  /// Scalars there were.
  var total: Int

  var isCut: Bool { characters < total }

  /// Cuts at the end of a block where one ends within the last tenth, else at the end of a
  /// grapheme cluster, so that no letter loses its accent.
  ///
  /// - Parameters:
  ///   - bytes: Valid UTF-8.
  ///   - limit: The most scalars to keep; 0 keeps all.
  init(_ bytes: [UInt8], limit: Int) {
    total = Self.scalars(bytes[...])
    guard limit > 0, total > limit else {
      text = String(decoding: bytes, as: UTF8.self)
      characters = total
      return
    }
    var kept = bytes[..<Self.offset(of: limit, in: bytes)]
    if let block = Self.blockEnd(in: kept) {
      kept = kept[..<block]
    } else {
      kept = kept[..<Self.clusterEnd(in: bytes, before: kept.endIndex)]
    }
    while let last = kept.last, isSpace(last) { kept.removeLast() }
    text = String(decoding: kept, as: UTF8.self)
    characters = Self.scalars(kept)
  }

  private static func scalars(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
  }

  private static func offset(of limit: Int, in bytes: [UInt8]) -> Int {
    var count = 0
    for (index, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 {
      if count == limit { return index }
      count += 1
    }
    return bytes.count
  }

  private static func blockEnd(in kept: ArraySlice<UInt8>) -> Int? {
    var index = kept.endIndex - 1
    let nearest = kept.endIndex - max(1, kept.count / 10)
    while index > nearest, index > 0 {
      if kept[index] == 0x0A, kept[index - 1] == 0x0A { return index - 1 }
      index -= 1
    }
    return nil
  }

  private static func clusterEnd(in bytes: [UInt8], before end: Int) -> Int {
    // A cluster longer than this is no letter, and cut wherever it is.
    let window = 128
    var start = max(0, end - window)
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    var stop = min(bytes.count, end + window)
    while stop < bytes.count, bytes[stop] & 0xC0 == 0x80 { stop += 1 }
    let text = String(decoding: bytes[start..<stop], as: UTF8.self)
    var boundary = start
    for character in text {
      let next = boundary + character.utf8.count
      if next > end { break }
      boundary = next
    }
    return boundary > start ? boundary : end
  }
}
