import Core

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
  /// Whether it stands in emphasis, whose end a star could be taken for.
  var isInEmphasis = false
  /// Whether it stands in words that are struck out.
  var isInStrike = false
  /// Whether more may follow without a space: the word ends its run of text.
  var endsText = false
  /// The byte that the word follows without a space, a star for any mark; 0 for a space or a
  /// line's start.
  var previous: UInt8 = 0

  /// Whether a byte may need a look.
  private static let special = ByteSet("\\`*_[](<~|&#>+-=.):")

  /// Appends a word with its backslashes.
  ///
  /// - Returns: Where in the output a bare address ends the word, which text right behind it would
  ///   become a part of.
  func append(_ word: ArraySlice<UInt8>, to output: inout [UInt8]) -> Range<Int>? {
    let special = Self.special
    guard word.contains(where: special.contains) else {
      output.append(contentsOf: word)
      return nil
    }
    // A backslash within it would hide a secret from what takes secrets out of all that is written.
    guard !holdsSecret(word) else {
      output.append(contentsOf: word)
      return nil
    }
    guard let address = addressRange(in: word) else {
      escape(word, to: &output)
      return nil
    }
    if isPlainAddress(address, in: word) {
      escape(word[..<address.lowerBound], to: &output)
      let start = output.count
      output.append(contentsOf: word[address])
      guard address.upperBound < word.endIndex else { return start..<output.count }
      output.append(contentsOf: word[address.upperBound...])
    } else {
      var before = self
      before.endsText = true
      before.escape(word[..<address.lowerBound], to: &output)
      output.append(UInt8(ascii: "<"))
      output.append(contentsOf: word[address])
      output.append(UInt8(ascii: ">"))
      var rest = self
      rest.isLineStart = false
      rest.previous = UInt8(ascii: ">")
      rest.escape(word[address.upperBound...], to: &output)
    }
    return nil
  }

  private func holdsSecret(_ word: ArraySlice<UInt8>) -> Bool {
    guard !Secrets.isEmpty else { return false }
    let text = String(decoding: word, as: UTF8.self)
    return Secrets.redacted(text) != text
  }

  /// Where in a word a bare address lies.
  private func addressRange(in word: ArraySlice<UInt8>) -> Range<Int>? {
    guard !isInLink, word.count > 10, let colon = word.firstIndex(of: UInt8(ascii: ":")),
      word[colon...].starts(with: "://".utf8)
    else { return nil }
    var start = colon
    for scheme in ["https", "http"]
    where word[..<colon].suffix(scheme.utf8.count).elementsEqual(scheme.utf8) {
      start = colon - scheme.utf8.count
      break
    }
    guard start < colon else { return nil }
    var end = word[colon...].firstIndex { "<>`\\\"|[]{}^".utf8.contains($0) } ?? word.endIndex
    while end > colon + 3, ".,;:!?)'*_~".utf8.contains(word[end - 1]) { end -= 1 }
    let hasReference = word[start..<end].indices.contains {
      word[$0] == UInt8(ascii: "&") && isReference(word, $0)
    }
    return end > colon + 3 && !hasReference ? start..<end : nil
  }

  /// Whether an address may stand as it is; else it is put between `<` and `>`.
  ///
  /// GitHub's Markdown takes all up to the next space for the address, backslashes and marks of
  /// emphasis included.
  private func isPlainAddress(_ address: Range<Int>, in word: ArraySlice<UInt8>) -> Bool {
    address.allSatisfy { !Self.special.contains(word[$0]) || !needsBackslash(word, $0) }
      && word[address.upperBound...].allSatisfy { ".,;:!?)'".utf8.contains($0) }
  }

  private func escape(_ word: ArraySlice<UInt8>, to output: inout [UInt8]) {
    let special = Self.special
    for index in word.indices {
      let byte = word[index]
      if special.contains(byte), needsBackslash(word, index) {
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
    case UInt8(ascii: "*"): return isLineStart && isFirst || isInEmphasis || !isAlone(word)
    // Emphasis needs a mark that may open it, and none is written but by a backslash.
    case UInt8(ascii: "_"): return !isWord(before) && (next != 0 || endsText)
    case UInt8(ascii: "~"): return isTildeMark(word, index, before: before, next: next)
    // At the start of a line it may begin a task, or a definition, which would not be shown.
    case UInt8(ascii: "["): return isInLink || isLineStart && isFirst
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

  /// Whether a tilde may end what another one strikes out, or begins a fence.
  private func isTildeMark(
    _ word: ArraySlice<UInt8>, _ index: Int, before: UInt8, next: UInt8
  ) -> Bool {
    let tilde = UInt8(ascii: "~")
    if isInStrike || next == tilde || before == tilde { return true }
    // `/~user` and `~5` are left as they are: nothing ends there.
    return !(before == 0 || before == UInt8(ascii: "/") && isWord(next))
  }

  private func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  /// `|---` or `:--`, which makes a table of two lines.
  private func isDelimiterRow(_ word: ArraySlice<UInt8>) -> Bool {
    word.contains(UInt8(ascii: "-")) && word.allSatisfy { "|:-".utf8.contains($0) }
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
