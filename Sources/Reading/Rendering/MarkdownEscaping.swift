import Core

/// The escaping of words in Markdown.
///
/// A backslash is written only before characters that could have a meaning.
struct MarkdownEscaping {
  /// `true` if the word begins a line, where more characters have a meaning.
  var isLineStart: Bool
  /// `true` inside a table, where `|` ends a cell.
  var isInTable = false
  /// `true` inside the text of a link, which brackets could end.
  var isInLink = false
  /// `true` inside a heading, where `#` at the end is dropped.
  var isInHeading = false
  /// `true` inside emphasis, which a star could end.
  var isInEmphasis = false
  /// `true` inside struck-out words.
  var isInStrike = false
  /// `true` if the word is the last of its text.
  ///
  /// Other text may then follow without a space.
  var endsText = false
  /// The byte directly before the word.
  ///
  /// It is a star for any emphasis mark, and 0 for a space or the start of a line.
  var previous: UInt8 = 0

  /// The bytes that may need a backslash.
  private static let special = ByteSet("\\`*_[](<~|&#>+-=.):$")

  /// Appends the given word with backslashes.
  ///
  /// - Returns: The range in `output` of a bare address at the end of the word; nil if there is
  ///   none. Text directly after the address would become part of it.
  func append(_ word: ArraySlice<UInt8>, to output: inout [UInt8]) -> Range<Int>? {
    let special = Self.special
    guard word.contains(where: special.contains) else {
      output.append(contentsOf: word)
      return nil
    }
    // A backslash inside a secret would prevent its redaction in the output.
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

  /// Returns the range of a bare address in the given word.
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

  /// Returns `true` if the given address can be written unchanged, without `<` and `>`.
  ///
  /// In GitHub's Markdown, an address extends to the next space, including backslashes and emphasis
  /// marks.
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
    // Only a mark that can open emphasis is escaped, because emphasis needs one.
    case UInt8(ascii: "_"): return !isWord(before) && (next != 0 || endsText)
    case UInt8(ascii: "~"): return isTildeMark(word, index, before: before, next: next)
    // At the start of a line it may begin a task or a definition, which would not be visible.
    case UInt8(ascii: "["): return isInLink || isLineStart && isFirst
    case UInt8(ascii: "]"): return isInLink
    // After a bracket, these characters would make a link or a definition.
    case UInt8(ascii: "("): return before == UInt8(ascii: "]")
    case UInt8(ascii: ":"):
      return before == UInt8(ascii: "]") || isLineStart && isFirst && isDelimiterRow(word)
    case UInt8(ascii: "<"):
      return next == 0 ? endsText : isLetter(next) || "/!?".utf8.contains(next)
    case UInt8(ascii: "&"): return isReference(word, index)
    // It would begin a formula, for example at the first of two prices.
    case UInt8(ascii: "$"): return next != 0 || endsText
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

  /// Returns `true` if the word is a single character between spaces.
  private func isAlone(_ word: ArraySlice<UInt8>) -> Bool {
    word.count == 1 && previous == 0 && !endsText
  }

  /// Returns `true` if the tilde at the given index could end a strikethrough or begin a fence.
  private func isTildeMark(
    _ word: ArraySlice<UInt8>, _ index: Int, before: UInt8, next: UInt8
  ) -> Bool {
    let tilde = UInt8(ascii: "~")
    if isInStrike || next == tilde || before == tilde { return true }
    // `/~user` and `~5` are not escaped, because no strikethrough can end there.
    return !(before == 0 || before == UInt8(ascii: "/") && isWord(next))
  }

  private func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  /// Returns `true` if the given word, such as `|---`, would turn its line and the one above into a
  /// table.
  private func isDelimiterRow(_ word: ArraySlice<UInt8>) -> Bool {
    word.contains(UInt8(ascii: "-")) && word.allSatisfy { "|:-".utf8.contains($0) }
  }

  /// Returns `true` if the `&` at the given index may begin a character reference.
  ///
  /// The text after the word may complete the reference.
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

  /// Returns the length of the longest run of the given byte in the given text.
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

/// Returns `true` if the given byte is ASCII punctuation, which a backslash can escape.
@inline(__always)
func isPunctuation(_ byte: UInt8) -> Bool {
  byte > 0x20 && byte < 0x7F && !isLetter(byte) && !isDigit(byte)
}
