/// Writes words so that Markdown reads them as the same characters; backslashes stand only where
/// a character could mean something.
struct MarkdownEscaping {
  /// Whether the word stands at the start of a line, where more characters have a meaning.
  var isLineStart: Bool
  /// Whether it stands in a table, where `|` ends a cell.
  var isInTable = false
  /// Whether it stands in the text of a link, which brackets could end.
  var isInLink = false
  /// Whether it stands in a heading, where `#` at the end is dropped.
  var isInHeading = false
  /// Whether more may follow without a space: the word ends its run of text.
  var endsText = false
  /// The byte that the word follows without a space; 0 for a space or a line's start.
  var previous: UInt8 = 0

  /// Whether a byte may need a look.
  private static let isSpecial: [Bool] = {
    var table = [Bool](repeating: false, count: 256)
    for byte in "\\`*_[](<~|&#>+-=.):".utf8 { table[Int(byte)] = true }
    return table
  }()

  /// Appends a word with its backslashes.
  func append(_ word: ArraySlice<UInt8>, to output: inout [UInt8]) {
    guard word.contains(where: { Self.isSpecial[Int($0)] }) else {
      return output.append(contentsOf: word)
    }
    for index in word.indices {
      let byte = word[index]
      if Self.isSpecial[Int(byte)], needsBackslash(word, index) {
        output.append(UInt8(ascii: "\\"))
      }
      output.append(byte)
    }
  }

  private func needsBackslash(_ word: ArraySlice<UInt8>, _ index: Int) -> Bool {
    let isFirst = index == word.startIndex
    let next: UInt8 = index + 1 < word.endIndex ? word[index + 1] : 0
    let before: UInt8 = isFirst ? previous : word[index - 1]
    switch word[index] {
    case UInt8(ascii: "`"): return true
    case UInt8(ascii: "\\"): return next == 0 || isPunctuation(next)
    case UInt8(ascii: "*"): return isLineStart && isFirst || !isAlone(word)
    case UInt8(ascii: "_"): return !isAlone(word) && !(isWord(before) && isWord(next) && !isFirst)
    case UInt8(ascii: "~"): return next != 0 || endsText
    case UInt8(ascii: "["): return isInLink || isLineStart && isFirst && isTask(word)
    case UInt8(ascii: "]"): return isInLink
    // Behind a bracket these would make a link or a definition.
    case UInt8(ascii: "("): return before == UInt8(ascii: "]")
    case UInt8(ascii: ":"):
      return before == UInt8(ascii: "]") || isLineStart && isFirst && isDelimiterRow(word)
    case UInt8(ascii: "<"):
      return next == 0 ? endsText : isLetter(next) || "/!?".utf8.contains(next)
    case UInt8(ascii: "&"): return isReference(word, index)
    case UInt8(ascii: "|"): return isInTable || isLineStart && isFirst && isDelimiterRow(word)
    case UInt8(ascii: "#"):
      return isFirst && (isLineStart || isInHeading) && word.allSatisfy { $0 == 0x23 }
    case UInt8(ascii: ">"): return isLineStart && isFirst
    case UInt8(ascii: "+"): return isLineStart && word.count == 1
    case UInt8(ascii: "-"), UInt8(ascii: "="):
      return isLineStart && isFirst
        && (word.allSatisfy { $0 == word[index] } || isDelimiterRow(word))
    case UInt8(ascii: "."), UInt8(ascii: ")"): return isLineStart && isListNumber(word, index)
    default: return false
    }
  }

  /// Whether the word is one character with spaces around it.
  private func isAlone(_ word: ArraySlice<UInt8>) -> Bool {
    word.count == 1 && previous == 0 && !endsText
  }

  private func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  /// `[ ]` or `[x]`, which makes a task of a list item.
  private func isTask(_ word: ArraySlice<UInt8>) -> Bool { word.count <= 3 }

  /// `|---` or `:--`, which makes a table of two lines.
  private func isDelimiterRow(_ word: ArraySlice<UInt8>) -> Bool {
    word.allSatisfy { "|:-".utf8.contains($0) }
  }

  /// Whether `&` begins a character reference, or may once more text follows.
  private func isReference(_ word: ArraySlice<UInt8>, _ index: Int) -> Bool {
    var at = index + 1
    if at < word.endIndex, word[at] == UInt8(ascii: "#") { at += 1 }
    while at < word.endIndex, at - index < 40, isWord(word[at]) { at += 1 }
    guard at < word.endIndex else { return endsText }
    return word[at] == UInt8(ascii: ";") && at > index + 1
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

/// Whether a byte is ASCII punctuation, which a backslash may stand before.
@inline(__always)
func isPunctuation(_ byte: UInt8) -> Bool {
  byte > 0x20 && byte < 0x7F && !isLetter(byte) && !isDigit(byte)
}
