/// Writes a word so that Markdown reads it as the same characters.
struct MarkdownEscaping {
  /// Whether the word stands at the start of a line, where more characters have a meaning.
  var isLineStart: Bool
  /// Whether it stands in a table, where `|` ends a cell.
  var isInTable: Bool

  func escape(_ word: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(word.count + 4)
    for index in word.indices {
      if needsBackslash(word, index) { output.append(UInt8(ascii: "\\")) }
      output.append(word[index])
    }
    return output
  }

  private func needsBackslash(_ word: ArraySlice<UInt8>, _ index: Int) -> Bool {
    switch word[index] {
    case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: "~"):
      true
    case UInt8(ascii: "|"): isInTable
    case UInt8(ascii: "_"): !isBetweenWords(word, index)
    case UInt8(ascii: "&"): isReference(word, index)
    case UInt8(ascii: "#"), UInt8(ascii: ">"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "="):
      isLineStart && index == word.startIndex
    case UInt8(ascii: "."), UInt8(ascii: ")"): isLineStart && isListNumber(word, index)
    default: false
    }
  }

  /// An underscore within a word means nothing.
  private func isBetweenWords(_ word: ArraySlice<UInt8>, _ index: Int) -> Bool {
    guard index > word.startIndex, index + 1 < word.endIndex else { return false }
    return isWord(word[index - 1]) && isWord(word[index + 1])
  }

  private func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte >= 0x80 }

  private func isReference(_ word: ArraySlice<UInt8>, _ index: Int) -> Bool {
    guard index + 1 < word.endIndex else { return false }
    return isLetter(word[index + 1]) || word[index + 1] == UInt8(ascii: "#")
  }

  private func isListNumber(_ word: ArraySlice<UInt8>, _ index: Int) -> Bool {
    let digits = index - word.startIndex
    return (1...9).contains(digits) && index + 1 == word.endIndex
      && word[word.startIndex..<index].allSatisfy(isDigit)
  }

  /// The longest run of a byte within text.
  static func longestRun(of byte: UInt8, in text: some Sequence<UInt8>) -> Int {
    var longest = 0
    var run = 0
    for each in text {
      run = each == byte ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
