/// A splitter of texts into terms, which are words in a form that can be compared.
///
/// Terms are in lower case. The most common English endings are removed by a few rules of Porter
/// ("An algorithm for suffix stripping", 1980). In scripts without spaces, each pair of characters
/// is a term.
enum TextTerms {
  /// Returns the terms of the given text, in order.
  ///
  /// Common words are left out.
  static func terms(_ text: String) -> [String] {
    words(text).filter { !common.contains($0) }.map(stem)
  }

  /// Returns the words of the given text, in order and in lower case.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    func flush() {
      if word.count > 1 { words.append(String(word)) }
      word = String.UnicodeScalarView()
    }
    for scalar in text.lowercased().unicodeScalars {
      if isUnspaced(scalar) {
        flush()
        if let last {
          var pair = String.UnicodeScalarView()
          pair.append(last)
          pair.append(scalar)
          words.append(String(pair))
        }
        last = scalar
        continue
      }
      last = nil
      if isLetter(scalar) {
        word.append(scalar)
      } else if scalar != "'" && scalar != "’" {
        flush()
      }
    }
    flush()
    return words
  }

  /// Returns `true` if the given scalar is a letter, a combining mark or a digit.
  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return (0x61...0x7A).contains(scalar.value | 0x20) || (0x30...0x39).contains(scalar.value)
    }
    switch scalar.properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter,
      .nonspacingMark, .spacingMark, .decimalNumber:
      return true
    default: return false
    }
  }

  /// Returns `true` if the given scalar belongs to a script without spaces, such as Han, kana or
  /// Thai.
  static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E01...0x0E5B, 0x0E81...0x0EFF, 0x1000...0x109F, 0x1780...0x17DD, 0x3041...0x30FF,
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  /// Returns the given word without its ending.
  ///
  /// For example, `readers`, `reading` and `reads` become the same term.
  private static func stem(_ word: String) -> String {
    var bytes = Array(word.utf8)
    guard bytes.count > 3, bytes.allSatisfy({ (0x61...0x7A).contains($0) }) else { return word }
    func ends(_ ending: String) -> Bool { bytes.reversed().starts(with: ending.utf8.reversed()) }
    if ends("ies"), bytes.count > 4 {
      bytes.replaceSubrange((bytes.count - 3)..., with: "y".utf8)
    } else if ends("s"), !ends("us"), !ends("ss"), !ends("is") {
      bytes.removeLast()
    }
    if ends("cy"), bytes.count > 5 { bytes.replaceSubrange((bytes.count - 2)..., with: "t".utf8) }
    for ending in ["ing", "ion", "ed", "er", "or", "ly"]
    where ends(ending) && bytes.count >= ending.utf8.count + 4 {
      bytes.removeLast(ending.utf8.count)
      // A doubled final consonant is reduced: `running` comes from `run`, but `falling` from
      // `fall`.
      if let last = bytes.last, bytes.dropLast().last == last, !"lsz".utf8.contains(last) {
        bytes.removeLast()
      }
      break
    }
    if bytes.count > 4, bytes.last == 0x65 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Common words that say nothing about a subject.
  ///
  /// They include words that give instructions.
  private static let common: Set<String> = Set(
    """
    a about after all also an and any are as at be because been before being between both but by can \
    could did do does doing down each every few for from further had has have having he her here hers \
    him his how however i if in into is it its itself just may me might more most must my no nor not \
    now of off on once one only or other our out over own per same she should so some such than that \
    the their them then there these they this those through thus to too two under until up upon us use \
    used using very via was way we were what when where whether which while who whom why will with \
    would yes you your \
    compare describe explain find gather give list make report research review say summarise summarize \
    summary tell write brief goal source sources task article page please
    """.split(separator: " ").map(String.init))
}
