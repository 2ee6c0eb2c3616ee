import Foundation
import Testing

/// The figures by which pages and comments stay readable; a run prints them.
struct PlainWordsTests {
  /// Words with which no summary of a declaration should begin.
  private static let questions: Set<Substring> = [
    "What", "Whether", "How", "Who", "Whose", "Whom", "Where", "Which", "Why", "When",
  ]
  private static let longestPage = 260
  private static let longestSentence = 30

  @Test func `pages are short`() throws {
    var toolPages: [Int] = []
    for name in try Repository.names(in: "man") {
      let count = try Self.handWritten(Repository.text("man/" + name)).count
      print("words: man/\(name): \(count) lines")
      #expect(count <= Self.longestPage, "man/\(name): move reasons and details to docs/")
      if name.hasSuffix(".1") { toolPages.append(count) }
    }
    toolPages.sort()
    let middle = toolPages.count / 2
    let median = (toolPages[middle] + toolPages[(toolPages.count - 1) / 2]) / 2
    print("words: the median of the pages of section 1: \(median) lines")
    #expect(median <= 130)
  }

  @Test func `sentences of pages are short`() throws {
    for name in try Repository.names(in: "man") {
      let sentences = try ManualPage(name).sentences
      let long = sentences.filter { Self.wordCount($0) > Self.longestSentence }
      print("words: man/\(name): \(long.count) of \(sentences.count) sentences are long")
      #expect(long.count * 20 <= sentences.count, "man/\(name): \(long)")
    }
  }

  @Test func `summaries of declarations name or do something`() throws {
    var (count, found) = (0, [String]())
    for path in try Repository.files("Sources", ending: [".swift"]) {
      var isInComment = false
      for line in try Repository.text(path).split(separator: "\n") {
        let text = line.drop { $0 == " " }
        defer { isInComment = text.hasPrefix("///") }
        guard text.hasPrefix("///"), !isInComment else { continue }
        count += 1
        let first = text.dropFirst(3).split { !$0.isLetter }.first
        if let first, Self.questions.contains(first) { found.append("\(path): \(text)") }
      }
    }
    print("words: \(found.count) of \(count) summaries begin with a question's word")
    #expect(found.count * 50 <= count, "\(found.joined(separator: "\n"))")
  }

  /// The lines of a page without the tables that `scripts/generate-pages` writes.
  private static func handWritten(_ page: String) -> [Substring] {
    var isGenerated = false
    return page.split(separator: "\n").filter { line in
      if line.hasPrefix(#".\" "#), line.contains("generated from") { isGenerated = true }
      defer { if line == #".\" end"# { isGenerated = false } }
      return !isGenerated
    }
  }

  private static func wordCount(_ sentence: String) -> Int {
    sentence.split(separator: " ").count { $0.contains { $0.isLetter || $0.isNumber } }
  }
}
