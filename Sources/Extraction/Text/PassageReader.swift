import Core

/// Reads the sentences out of a page's text, plain or Markdown.
///
/// Headings are kept as headings; code, tables, images and lines of navigation are left out, since
/// they say nothing when they are quoted alone. Linear in the text.
struct PassageReader {
  /// Beyond this a text is not read: a page is a hundredth of it.
  private static let maximumBytes = 4 << 20

  private var passages: [Passage] = []
  private var paragraph: [Substring] = []
  private var isItem = false
  private var heading: String?
  private var fence: Character?
  /// Whether headings are marked, so that a short line is not one.
  private let hasMarkedHeadings: Bool

  private init(hasMarkedHeadings: Bool) {
    self.hasMarkedHeadings = hasMarkedHeadings
  }

  /// The sentences of a text, in order.
  static func read(_ text: String) -> [Passage] {
    let bounded =
      text.utf8.count > maximumBytes
      ? String(decoding: text.utf8.prefix(maximumBytes), as: UTF8.self) : text
    let lines = bounded.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var reader = PassageReader(
      hasMarkedHeadings: lines.contains { $0.hasPrefix("# ") || $0.hasPrefix("## ") })
    for line in lines { reader.add(line) }
    reader.flush()
    return reader.passages
  }

  private mutating func add(_ whole: Substring) {
    var line = whole.drop { $0 == " " || $0 == "\t" }
    if let fence {
      if Self.fence(of: line) == fence { self.fence = nil }
      return
    }
    if let mark = Self.fence(of: line) {
      flush()
      fence = mark
      return
    }
    while line.first == ">" { line = line.dropFirst().drop { $0 == " " } }
    guard let first = line.first else { return flush() }
    if first == "#", let title = Self.title(line) {
      flush()
      heading = title
    } else if Self.isRule(line) {
      // A rule under one line of text makes it a heading, by CommonMark's setext form.
      if paragraph.count == 1, first == "=" || first == "-" {
        heading = Self.named(InlineMarkdown.plain(String(paragraph[0]))[...])
        paragraph = []
      }
      flush()
    } else if first == "|" {
      flush()
    } else if let item = Self.item(line) {
      flush()
      paragraph = [item]
      isItem = true
    } else {
      if first.isUppercase { takeTitle() }
      paragraph.append(line)
    }
  }

  /// Takes a paragraph of one short line for the heading that it is in a plain text.
  private mutating func takeTitle() {
    guard !hasMarkedHeadings, !isItem, paragraph.count == 1, let line = paragraph.first,
      line.utf8.count <= 80, let first = line.first, first.isUppercase || first.isNumber,
      line.allSatisfy({ $0.isLetter || $0.isNumber || " ,'’-&?()/".contains($0) }),
      line.last != ","
    else { return }
    heading = Self.named(InlineMarkdown.plain(String(line))[...])
    paragraph = []
  }

  private mutating func flush() {
    defer {
      paragraph = []
      isItem = false
    }
    takeTitle()
    guard !paragraph.isEmpty else { return }
    let text = InlineMarkdown.plain(paragraph.joined(separator: " "))
    for sentence in SentenceSplitter.sentences(of: text) {
      guard Self.isWorthQuoting(sentence) else { continue }
      passages.append(
        Passage(text: sentence, heading: heading, position: passages.count))
    }
  }

  /// The mark of a line that opens or closes a block of code.
  private static func fence(of line: Substring) -> Character? {
    guard let mark = line.first, mark == "`" || mark == "~" else { return nil }
    return line.prefix { $0 == mark }.count >= 3 ? mark : nil
  }

  private static func title(_ line: Substring) -> String? {
    let marks = line.prefix { $0 == "#" }.count
    let rest = line.dropFirst(marks)
    guard marks <= 6, rest.first == " " else { return nil }
    let title = InlineMarkdown.plain(String(rest)).drop { $0 == "#" || $0 == " " }
    return title.isEmpty ? nil : named(title)
  }

  /// A heading as it stands before a quote: not too long, without an end mark.
  private static func named(_ title: Substring) -> String {
    var title = title.prefix(120)
    while let last = title.last, " .:¶".contains(last) { title.removeLast() }
    return String(title)
  }

  private static func isRule(_ line: Substring) -> Bool {
    guard let mark = line.first, "=-*_".contains(mark), line.utf8.count >= 3 else { return false }
    return line.allSatisfy { $0 == mark || $0 == " " }
  }

  /// The content of a list item.
  private static func item(_ line: Substring) -> Substring? {
    if let mark = line.first, "-*+•".contains(mark) {
      let rest = line.dropFirst()
      return rest.first == " " ? rest.drop { $0 == " " } : nil
    }
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    guard (1...3).contains(digits.count) else { return nil }
    let rest = line.dropFirst(digits.count)
    guard let mark = rest.first, mark == "." || mark == ")", rest.dropFirst().first == " " else {
      return nil
    }
    return rest.dropFirst(2)
  }

  /// Whether a sentence can stand alone: long enough, mostly words, ended or long, no page furniture.
  private static func isWorthQuoting(_ sentence: String) -> Bool {
    let scalars = sentence.unicodeScalars
    var letters = 0
    var spaces = 0
    var wide = 0
    var total = 0
    for scalar in scalars {
      total += 1
      if scalar == " " { spaces += 1 } else if TextTerms.isLetter(scalar) { letters += 1 }
      if TextTerms.isUnspaced(scalar) { wide += 1 }
    }
    guard (letters + spaces) * 10 >= total * 7 else { return false }
    if wide * 3 >= total { return wide >= 8 }
    guard spaces >= 3, letters >= 20 else { return false }
    // Menus, captions and buttons are short and end in no mark.
    guard SentenceSplitter.isEnded(sentence) || (spaces >= 7 && (40...300).contains(letters)) else {
      return false
    }
    let lower = sentence.lowercased()
    return !furniture.contains { lower.contains($0) }
  }

  /// What pages say about themselves instead of their subject.
  private static let furniture = [
    "cookie", "all rights reserved", "privacy policy", "terms of service", "terms of use",
    "subscribe to", "sign up for", "sign in to", "log in to", "click here", "javascript is",
    "enable javascript", "skip to content", "table of contents", "edit this page",
    "share this", "newsletter", "©",
  ]
}
