/// A splitter of paragraphs into sentences, which recognizes abbreviations.
enum SentenceSplitter {
  /// The length at which a sentence without an end mark is cut.
  ///
  /// The cut is made at a space.
  private static let longest = 700

  /// Returns the sentences of the given paragraph, trimmed.
  ///
  /// Empty sentences are left out.
  static func sentences(of paragraph: String) -> [String] {
    let scalars = Array(paragraph.unicodeScalars)
    var sentences: [String] = []
    var start = 0
    var index = 0
    func cut(_ end: Int) {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[start..<end])
      let text = String(view)
      let trimmed = text.drop { $0 == " " }
      if !trimmed.isEmpty { sentences.append(String(trimmed)) }
      start = end
    }
    while index < scalars.count {
      let scalar = scalars[index]
      if wideEnds.contains(scalar) {
        index = afterClosers(scalars, index + 1)
        cut(index)
      } else if ends.contains(scalar), let end = end(scalars, at: index, from: start) {
        index = end
        cut(index)
      } else if index - start >= longest, scalar == " " {
        index += 1
        cut(index)
      } else {
        index += 1
      }
    }
    cut(scalars.count)
    return sentences
  }

  /// Returns `true` if the given text ends with an end mark or a colon.
  static func isEnded(_ text: String) -> Bool {
    guard let last = text.unicodeScalars.last(where: { !closers.contains($0) }) else {
      return false
    }
    return ends.contains(last) || wideEnds.contains(last) || last == ":"
  }

  private static let ends: Set<Unicode.Scalar> = [".", "!", "?", "…", "؟", "۔", "।", "॥", "։"]
  /// The end marks that need no space after them, as in Chinese.
  private static let wideEnds: Set<Unicode.Scalar> = ["。", "！", "？", "｡", "．", "။"]
  private static let closers: Set<Unicode.Scalar> = [
    "\"", "'", ")", "]", "”", "’", "»", "」", "』", "）", "】", "`", " ",
  ]

  private static func afterClosers(_ scalars: [Unicode.Scalar], _ index: Int) -> Int {
    var index = index
    while index < scalars.count, scalars[index] != " ", closers.contains(scalars[index]) {
      index += 1
    }
    return index
  }

  /// Returns the end of the sentence that the mark at the given index ends; nil if it ends none.
  private static func end(_ scalars: [Unicode.Scalar], at mark: Int, from start: Int) -> Int? {
    var index = mark + 1
    while index < scalars.count, ends.contains(scalars[index]) { index += 1 }
    index = afterClosers(scalars, index)
    guard index < scalars.count else { return index }
    guard scalars[index] == " " else { return nil }
    guard index + 1 < scalars.count else { return index }
    let next = scalars[index + 1]
    if next.properties.isLowercase { return nil }
    guard scalars[mark] == "." else { return index }
    let word = self.word(scalars, endingAt: mark, from: start)
    if word == "no" || word == "nr" { return ("0"..."9").contains(next) ? nil : index }
    let isInitial = word.unicodeScalars.count == 1 && !("0"..."9").contains(word) && word != "i"
    return isInitial || word.contains(".") || abbreviations.contains(word) ? nil : index
  }

  /// Returns the last characters of the word before the given mark, in lower case.
  ///
  /// There are enough of them to recognise abbreviations.
  private static func word(
    _ scalars: [Unicode.Scalar], endingAt mark: Int, from start: Int
  ) -> String {
    var view = String.UnicodeScalarView()
    var index = mark
    while index > start, mark - index < 12, scalars[index - 1] != " " { index -= 1 }
    while index < mark, closers.contains(scalars[index]) || scalars[index] == "(" { index += 1 }
    view.append(contentsOf: scalars[index..<mark])
    return String(view).lowercased()
  }

  private static let abbreviations: Set<String> = [
    "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "inc", "ltd", "co", "corp", "vs", "cf",
    "fig", "figs", "eq", "sec", "ch", "vol", "pp", "ed", "eds", "al", "ca", "approx", "est",
    "dept", "gen", "gov", "rev", "hon", "eg", "ie", "bzw", "usw", "vgl", "evtl", "ggf", "mme",
    "mlle", "jan", "feb", "aug", "sept", "oct", "nov", "dec",
  ]
}
