extension Word {
  /// The average number of letters in a word of Chinese or Japanese, and of Thai, Lao, Khmer or
  /// Burmese.
  private static let lengths: (ideographs: Int32, letters: Int32) = (2, 5)

  /// Counts the words in a run of text in scripts that have no spaces between words.
  ///
  /// A paragraph would otherwise count as one word. The last character is read as its counterpart
  /// in ASCII.
  mutating func countUnspaced(_ text: UnsafeBufferPointer<UInt8>.SubSequence) {
    var (ideographs, letters, ends) = (Int32(0), Int32(0), Int32(0))
    var index = text.startIndex
    while index + 2 < text.endIndex {
      let (second, third) = (text[index + 1], text[index + 2])
      let scalar = UInt16(second & 0x3F) << 6 | UInt16(third & 0x3F)
      var isMark = false
      switch text[index] {
      case 0xE3 where second == 0x80:
        isMark = third == 0x82
      case 0xE3...0xE9:
        ideographs += 1
        common += Self.particles.contains(UInt16(text[index] & 0x0F) << 12 | scalar) ? 1 : 0
      case 0xE0 where second >= 0xB8 && second <= 0xBB,
        0xE1 where second <= 0x82 || second == 0x9E || second == 0x9F:
        letters += 1
      case 0xEF where second == 0xBC:
        isMark = third == 0x81 || third == 0x9F
        if index + 3 == text.endIndex, third >= 0x81, third <= 0x9F { last = third - 0x60 }
      default:
        index += 1
        continue
      }
      index += 3
      ends += isMark ? 1 : 0
      if isMark, index == text.endIndex, second == 0x80 { last = UInt8(ascii: ".") }
    }
    guard ideographs + letters > 1 else { return }
    count = max(1, ideographs / Self.lengths.ideographs + letters / Self.lengths.letters)
    sentences = ends
    common = min(common, count)
  }

  /// The most common particles of Chinese and Japanese.
  private static let particles = Set(
    "的了是在和有不为與与也就為這这のはをにがとでも".unicodeScalars.map { UInt16($0.value) })
}
