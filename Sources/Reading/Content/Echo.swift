/// What a page says of itself for machines, to be found again in what it shows people.
struct Echo {
  /// Hashes of pairs of words that follow each other.
  private var pairs = HashSet()
  private static let maximum = 20_000

  /// Takes the words of a text in, whatever marks, escapes and tags are between them.
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

  /// The hash of two words that follow each other.
  @inline(__always)
  static func pair(_ first: UInt64, _ second: UInt64) -> UInt64 {
    (first &* 0x9E37_79B9_7F4A_7C15) ^ second
  }

  var isEmpty: Bool { pairs.isEmpty }

  /// Whether the words follow each other in what was taken in.
  @inline(__always)
  func contains(_ first: UInt64, _ second: UInt64) -> Bool {
    pairs.contains(Self.pair(first, second))
  }
}
