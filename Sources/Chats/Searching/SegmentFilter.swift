import Foundation

/// Which beginnings of words a segment may hold: three bytes and more, up to eight.
///
/// A bit for each, by its hash. Trigrams from anywhere in a word would be twice as many, and say
/// less: a query's words are beginnings.
struct SegmentFilter: Sendable {
  private static let bits: UInt32 = 18
  private static let shortest = 3
  private static let longest = 8

  private(set) var bytes: [UInt8]

  /// A filter of nothing.
  init() { bytes = Array(repeating: 0, count: 1 << (Int(Self.bits) - 3)) }

  /// A filter that was kept; nil where it is none.
  init?(bytes: Data) {
    guard bytes.count == 1 << (Int(Self.bits) - 3) else { return nil }
    self.bytes = Array(bytes)
  }

  /// Adds the words of a folded text.
  mutating func add(_ text: some Sequence<UInt8>) {
    var hash = Self.seed
    var length = 0
    bytes.withUnsafeMutableBufferPointer { bytes in
      for byte in text {
        guard byte != FoldedText.space else {
          (hash, length) = (Self.seed, 0)
          continue
        }
        length += 1
        guard length <= Self.longest else { continue }
        hash = Self.next(hash, byte)
        guard length >= Self.shortest else { continue }
        let bit = Self.place(hash)
        bytes[Int(bit >> 3)] |= 1 << (bit & 7)
      }
    }
  }

  /// Whether the segment may hold words that begin so.
  func mayHold(_ beginnings: [UInt32]) -> Bool {
    beginnings.allSatisfy { bytes[Int($0 >> 3)] & 1 << ($0 & 7) != 0 }
  }

  /// The place of a word's longest beginning; nil for a word that is too short.
  static func longestBeginning(_ word: some Collection<UInt8>) -> UInt32? {
    guard word.count >= shortest else { return nil }
    return place(word.prefix(longest).reduce(seed, next))
  }

  // FNV-1a (RFC 9923), spread by Fibonacci hashing.
  private static let seed: UInt32 = 0x811C_9DC5
  private static func next(_ hash: UInt32, _ byte: UInt8) -> UInt32 {
    (hash ^ UInt32(byte)) &* 0x0100_0193
  }
  private static func place(_ hash: UInt32) -> UInt32 {
    (hash &* 0x9E37_79B1) >> (32 - bits)
  }
}
