import Core

/// A measure of repetition in a text.
///
/// It is the fraction of the text's shingles (sequences of eight words) that occurred before. The
/// method is from Broder, "On the resemblance and containment of documents" (1997).
public struct Redundancy: Sendable {
  private var seen: Set<UInt64> = []
  private var last: [UInt64] = []
  private var shingles = 0
  private var repeated = 0

  private static let length = 8
  /// The largest number of shingles that are remembered.
  ///
  /// They use about 6 MB.
  private static let most = 400_000

  /// Creates a measure that has read no text yet.
  public init() {}

  /// The fraction of the text that repeats earlier text, from 0 to 1.
  ///
  /// It is nil for a text of less than about a hundred words.
  public var score: Double? {
    shingles < 100 ? nil : Double(repeated) / Double(shingles)
  }

  /// Adds the given text to the measured text.
  public mutating func add(_ text: String) {
    last = []
    var hash = Self.basis
    var isWord = false
    for byte in text.utf8 {
      // Words consist of letters and digits of any script; case is ignored.
      if byte >= 0x80 || byte.isDigit || byte.isLetter {
        hash = (hash ^ UInt64(byte.lowercased)) &* Self.prime
        isWord = true
      } else if isWord {
        count(word: hash)
        hash = Self.basis
        isWord = false
      }
    }
    if isWord { count(word: hash) }
  }

  private mutating func count(word: UInt64) {
    if last.count == Self.length { last.removeFirst() }
    last.append(word)
    guard last.count == Self.length else { return }
    let shingle = last.reduce(Self.basis) { ($0 ^ $1) &* Self.prime }
    shingles += 1
    if seen.contains(shingle) {
      repeated += 1
    } else if seen.count < Self.most {
      seen.insert(shingle)
    }
  }

  // FNV-1a, 64 bits.
  private static let basis: UInt64 = 0xcbf2_9ce4_8422_2325
  private static let prime: UInt64 = 0x100_0000_01b3
}
