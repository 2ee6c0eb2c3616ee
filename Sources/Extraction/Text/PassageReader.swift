import Core
import Markdown

/// A reader of the sentences in a page's text, which may be plain text or Markdown.
///
/// Headings are attached to the sentences below them. Code, tables, images and lines of navigation
/// are skipped, because they have no meaning as quotes. The running time is linear in the size of
/// the text.
struct PassageReader {
  /// The maximum number of bytes of a text that are read.
  ///
  /// A usual page has about a hundredth of it.
  private static let maximumBytes = 4 << 20

  private var passages: [Passage] = []
  private var paragraph: [ArraySlice<UInt8>] = []
  private var isItem = false
  private var heading: String?
  private var fence: MarkdownLine.Fence?
  /// `true` if the text has marked headings.
  ///
  /// Short lines then do not count as headings.
  private let hasMarkedHeadings: Bool

  private init(hasMarkedHeadings: Bool) {
    self.hasMarkedHeadings = hasMarkedHeadings
  }

  /// Returns the sentences of the given text, in order.
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
    let line = MarkdownLine(Array(whole.utf8)[...], isFlat: true)
    if let fence {
      if line.closes(fence) { self.fence = nil }
    } else if let opened = line.fence {
      flush()
      fence = opened
    } else if let (_, words) = line.heading {
      flush()
      let title = InlineMarkdown.plain(words)
      if !title.isEmpty { heading = Self.named(title) }
    } else if line.isDivider {
      // An underline below one line of text makes it a setext heading of CommonMark.
      if paragraph.count == 1, line.underlinedLevel != nil {
        heading = Self.named(InlineMarkdown.plain(paragraph[0]))
        paragraph = []
      }
      flush()
    } else if line.isBlank || line.body.first == UInt8(ascii: "|") {
      flush()
    } else if let item = Self.item(line) {
      flush()
      paragraph = [item]
      isItem = true
    } else {
      if String(decoding: line.body, as: UTF8.self).first?.isUppercase ?? false {
        promoteToHeading()
      }
      paragraph.append(line.body)
    }
  }

  /// Makes the current paragraph a heading if it is one short line of plain text.
  private mutating func promoteToHeading() {
    guard !hasMarkedHeadings, !isItem, paragraph.count == 1, paragraph[0].count <= 80 else {
      return
    }
    let line = String(decoding: paragraph[0], as: UTF8.self)
    guard let first = line.first, first.isUppercase || first.isNumber,
      line.allSatisfy({ $0.isLetter || $0.isNumber || " ,'’-&?()/".contains($0) }),
      line.last != ","
    else { return }
    heading = Self.named(InlineMarkdown.plain(line))
    paragraph = []
  }

  private mutating func flush() {
    defer {
      paragraph = []
      isItem = false
    }
    promoteToHeading()
    guard !paragraph.isEmpty else { return }
    let text = InlineMarkdown.plain(Array(paragraph.joined(separator: [0x20]))[...])
    for sentence in SentenceSplitter.sentences(of: text) {
      guard Self.isWorthQuoting(sentence) else { continue }
      passages.append(
        Passage(text: sentence, heading: heading, position: passages.count))
    }
  }

  /// Returns the given heading as a quote shows it: shortened, and without punctuation at its end.
  private static func named(_ title: String) -> String {
    var title = title.prefix(120)
    while let last = title.last, " .:¶".contains(last) { title.removeLast() }
    return String(title)
  }

  /// Returns the content of the given line if it is a list item; otherwise nil.
  ///
  /// A number of four digits is taken for a year, not for the number of an item.
  private static func item(_ line: MarkdownLine) -> ArraySlice<UInt8>? {
    if line.body.starts(with: "• ".utf8) { return line.body.dropFirst("• ".utf8.count) }
    return line.item.flatMap { $0.mark.count <= 4 ? $0.text : nil }
  }

  /// Returns `true` if the given sentence is worth quoting.
  ///
  /// Such a sentence is long enough, consists mostly of words, and is not about the page itself.
  /// Unless it is long, it must have an end mark.
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
    // Texts of menus, captions and buttons are short and have no end mark.
    guard SentenceSplitter.isEnded(sentence) || (spaces >= 7 && (40...300).contains(letters)) else {
      return false
    }
    let lower = sentence.lowercased()
    return !furniture.contains { lower.contains($0) }
  }

  /// Phrases that pages use when they refer to themselves.
  private static let furniture = [
    "cookie", "all rights reserved", "privacy policy", "terms of service", "terms of use",
    "subscribe to", "sign up for", "sign in to", "log in to", "click here", "javascript is",
    "enable javascript", "skip to content", "table of contents", "edit this page",
    "share this", "newsletter", "©",
  ]
}
