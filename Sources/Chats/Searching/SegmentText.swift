import Core
import Foundation

/// The folded texts of many turns in one buffer, with the position of each text.
struct SegmentText: Sendable {
  /// A turn of a segment.
  struct Entry: Sendable {
    /// The sequence number of the turn.
    var sequence: Int64
    /// The time of the turn, in milliseconds since 1970.
    var createdAt: Int64
    /// The offset at which the turn's text begins.
    var start: Int
  }

  /// The turns, in the order of their texts.
  private(set) var entries: [Entry] = []
  /// The folded texts of all turns, followed by a zero byte.
  private var texts = Data([0])

  private static let headSize = 20

  /// Creates an empty segment.
  init() {}

  /// Adds a turn with the given folded text.
  mutating func add(_ sequence: Int64, createdAt: Int64, _ text: some Collection<UInt8>) {
    entries.append(Entry(sequence: sequence, createdAt: createdAt, start: texts.count - 1))
    texts.removeLast()
    texts.append(contentsOf: text)
    texts.append(0)
  }

  /// Returns the segment without the turns that have the given sequence numbers.
  func without(_ sequences: Set<Int64>) -> SegmentText {
    var rest = SegmentText()
    for (place, entry) in entries.enumerated() where !sequences.contains(entry.sequence) {
      let text = texts.dropFirst(entry.start).prefix(end(place) - entry.start)
      rest.add(entry.sequence, createdAt: entry.createdAt, text)
    }
    return rest
  }

  /// Returns the offset at which the text of the turn at `place` ends.
  private func end(_ place: Int) -> Int {
    place + 1 < entries.count ? entries[place + 1].start : texts.count - 1
  }

  /// The filter that contains the words of the segment.
  var filter: SegmentFilter {
    var filter = SegmentFilter()
    filter.add(texts.dropLast())
    return filter
  }

  /// The size of all texts, in bytes.
  var size: Int { texts.count - 1 }

  /// The time of the newest turn.
  var newest: Int64 { entries.map(\.createdAt).max() ?? 0 }

  /// Returns the turns whose texts contain all given terms.
  func matches(_ terms: SearchTerms) -> [Entry] {
    // Folded texts contain no 0 byte, so strstr(3) can be used, which is fastest.
    let needle = terms.needles[0].map(CChar.init(bitPattern:)) + [0]
    return texts.withUnsafeBytes { texts in
      var found: [Entry] = []
      guard let base = texts.baseAddress?.assumingMemoryBound(to: CChar.self) else { return found }
      var start = 0
      var place = 0
      while let match = strstr(base + start, needle) {
        let at = UnsafePointer(match) - base
        while place + 1 < entries.count, entries[place + 1].start <= at { place += 1 }
        let text = UnsafeRawBufferPointer(rebasing: texts[entries[place].start..<end(place)])
        if terms.match(text) { found.append(entries[place]) }
        start = end(place)
      }
      return found
    }
  }

  /// The stored form of the segment.
  ///
  /// It consists of the number of turns; the sequence number, time and text length of each turn;
  /// the texts; and a zero byte. Numbers are little-endian.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 + entries.count * Self.headSize + texts.count)
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }
    append(UInt32(entries.count))
    for (place, entry) in entries.enumerated() {
      append(entry.sequence)
      append(entry.createdAt)
      append(UInt32(end(place) - entry.start))
    }
    return bytes + texts
  }

  /// Parses the stored form; returns nil if it is incomplete.
  init?(bytes: Data) {
    var lengths = 0
    let isWhole = bytes.withUnsafeBytes { bytes -> Bool in
      guard bytes.count >= 4 else { return false }
      let count = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
      guard count <= (bytes.count - 4) / Self.headSize else { return false }
      let textsAt = 4 + count * Self.headSize
      entries.reserveCapacity(count)
      for place in 0..<count {
        let at = 4 + place * Self.headSize
        let sequence = bytes.loadUnaligned(fromByteOffset: at, as: Int64.self)
        let createdAt = bytes.loadUnaligned(fromByteOffset: at + 8, as: Int64.self)
        let length = bytes.loadUnaligned(fromByteOffset: at + 16, as: UInt32.self)
        entries.append(
          Entry(
            sequence: Int64(littleEndian: sequence), createdAt: Int64(littleEndian: createdAt),
            start: lengths))
        lengths += Int(UInt32(littleEndian: length))
      }
      return lengths == bytes.count - textsAt - 1 && bytes[bytes.count - 1] == 0
    }
    guard isWhole else { return nil }
    // The texts are not copied, since most segments are searched only once.
    texts = bytes.suffix(lengths + 1)
  }
}
