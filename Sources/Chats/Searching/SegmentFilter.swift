import Foundation

/// A Bloom filter of the beginnings of a segment's words, each three to eight bytes long.
///
/// The hash of a beginning selects two bits to set. Only beginnings are stored, because a query
/// consists of beginnings of words.
struct SegmentFilter: Sendable {
  private static let bits: UInt64 = 18
  private static let shortest = 3
  private static let longest = 8

  private(set) var bytes: Data

  /// Creates an empty filter.
  init() { bytes = Data(count: 1 << (Int(Self.bits) - 3)) }

  /// Creates a filter from its stored bytes; returns nil if their number is wrong.
  init?(bytes: Data) {
    guard bytes.count == 1 << (Int(Self.bits) - 3) else { return nil }
    self.bytes = bytes
  }

  /// Adds the words of the given folded text.
  mutating func add(_ text: Data) {
    bytes.withUnsafeMutableBytes { bytes in
      text.withUnsafeBytes { text in
        var hash = Self.seed
        var length = 0
        for byte in text {
          guard byte != FoldedText.space else {
            (hash, length) = (Self.seed, 0)
            continue
          }
          length += 1
          guard length <= Self.longest else { continue }
          hash = Self.next(hash, byte)
          guard length >= Self.shortest else { continue }
          let (first, second) = Self.places(hash)
          bytes[first >> 3] |= 1 << UInt8(first & 7)
          bytes[second >> 3] |= 1 << UInt8(second & 7)
        }
      }
    }
  }

  /// Returns `true` if the segment may contain words with all the given beginnings, by their
  /// hashes.
  func mayHold(_ beginnings: [UInt64]) -> Bool {
    bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      func isSet(_ bit: Int) -> Bool {
        let byte: UInt8 = bytes[bit >> 3]
        return byte >> UInt8(bit & 7) & 1 == 1
      }
      return beginnings.allSatisfy { hash in
        let (first, second) = Self.places(hash)
        return isSet(first) && isSet(second)
      }
    }
  }

  /// Returns the hash of the given word's longest beginning that filters store; nil if the word is
  /// too short.
  static func longestBeginning(_ word: some Collection<UInt8>) -> UInt64? {
    word.count >= shortest ? word.prefix(longest).reduce(seed, next) : nil
  }

  // FNV-1a (RFC 9923), spread by Fibonacci hashing.
  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325
  private static func next(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x0100_0000_01B3
  }
  private static func places(_ hash: UInt64) -> (Int, Int) {
    let spread = hash &* 0x9E37_79B9_7F4A_7C15
    return (Int(spread >> (64 - bits)), Int(spread >> (64 - 2 * bits) & (1 << bits - 1)))
  }
}
