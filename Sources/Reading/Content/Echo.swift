/// The word pairs in a page's machine-readable text, for comparison with its visible text.
struct Echo {
  /// The hashes of pairs of adjacent words.
  private var pairs = HashSet()
  private static let maximum = 20_000

  /// Adds the word pairs of the given text.
  ///
  /// Punctuation, escapes and tags between words are ignored.
  mutating func add(_ text: some Sequence<UInt8>) {
    var last: UInt64 = 0
    var hash = NameHash()
    var length = 0
    var isEscaped = false
    var isTag = false
    for byte in text where pairs.count < Self.maximum {
      let wasEscaped = isEscaped
      isEscaped = byte == UInt8(ascii: "\\") && !wasEscaped
      if byte == UInt8(ascii: "<") { isTag = true }
      let isWord = isLetter(byte) || isDigit(byte) || byte >= 0x80
      let isEnd = isTag || isSpace(byte) || byte == UInt8(ascii: "\"") || wasEscaped && !isWord
      if byte == UInt8(ascii: ">") { isTag = false }
      if isWord, !isTag, !wasEscaped {
        hash.add(byte < 0x80 && isLetter(byte) ? byte | 0x20 : byte)
        length += 1
      } else if length > 0, isEnd || wasEscaped {
        if last != 0 { pairs.insert(Self.pair(last, hash.value)) }
        last = byte == UInt8(ascii: "\"") && !wasEscaped ? 0 : hash.value
        hash = NameHash()
        length = 0
      }
    }
    if length > 0, last != 0 { pairs.insert(Self.pair(last, hash.value)) }
  }

  /// Returns the hash of a pair of adjacent words, from the hashes of the two words.
  @inline(__always)
  static func pair(_ first: UInt64, _ second: UInt64) -> UInt64 {
    (first &* 0x9E37_79B9_7F4A_7C15) ^ second
  }

  var isEmpty: Bool { pairs.isEmpty }

  /// Returns `true` if an added text contains the words with the given hashes next to each other.
  @inline(__always)
  func contains(_ first: UInt64, _ second: UInt64) -> Bool {
    pairs.contains(Self.pair(first, second))
  }
}
