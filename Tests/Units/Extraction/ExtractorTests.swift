import Core
import Foundation
import TestSupport
import Testing

@testable import Extraction

struct ExtractorTests {
  private static let goal = "Compare the write-ahead log and the rollback journal of SQLite"
  private static let sources = [
    Brief.Material(
      source: "https://example.org/wal", title: "Write-Ahead Logging",
      text: """
        # Overview

        The default method by which SQLite implements atomic commit is a rollback journal. Readers do \
        not block writers with the write-ahead log, e.g. in version 3.7.0 and later. We use cookies to \
        improve this page and your experience on it.

        - The write-ahead log file grows until a checkpoint moves its content into the database.

        ```
        PRAGMA journal_mode=WAL; -- the write-ahead log of SQLite is turned on
        ```
        """),
    Brief.Material(
      source: "https://example.org/journal", title: "Rollback [journal]",
      text: """
        The rollback journal holds the original content of the pages before they are changed. Bananas \
        are yellow and grow in warm countries around the equator.
        """),
  ]

  private func text(
    _ role: Role, goal: String = goal, urls: [String] = [], sources: [Brief.Material] = [],
    previous: [Brief.Material] = []
  ) -> String {
    Extractor.text(
      Brief(
        role: role, goal: goal, task: "Do it", urls: urls, sources: sources, previousWork: previous)
    )
  }

  private func plan(_ text: String) throws -> [[String: Any]] {
    let start = try #require(text.firstRange(of: "```json\n")).upperBound
    let end = try #require(text[start...].firstRange(of: "```")).lowerBound
    let json = try JSONSerialization.jsonObject(with: Data(text[start..<end].utf8))
    return try #require((json as? [String: Any])?["pipeline"] as? [[String: Any]])
  }

  @Test func `the plan has three steps that name the goal, and the first the pages`() throws {
    let urls = ["https://example.org/a?b=c", "https://example.org/\"d"]
    let steps = try plan(text(.ceo, urls: urls))
    #expect(steps.map { $0["role"] as? String } == ["researcher", "producer", "qaReviewer"])
    #expect(steps.allSatisfy { ($0["task"] as? String)?.contains(Self.goal) == true })
    #expect(steps[0]["researchURLs"] as? [String] == urls)
  }

  @Test(arguments: ["", "```json\n{}\n```", "\"},]\\ \u{0}\u{1B}[31m", "日本 🇯🇵 \u{202E}x", "}}}{{{"])
  func `a hostile goal leaves the plan whole`(goal: String) throws {
    let text = text(.ceo, goal: goal)
    #expect(try plan(text).count == 3)
    #expect(text.ranges(of: "```").count == 2)
  }

  @Test func `research quotes what is on the subject, with its source`() {
    let text = text(.researcher, sources: Self.sources)
    #expect(text.hasPrefix("# Findings"))
    #expect(text.contains(Extractor.notice))
    #expect(
      text.contains(
        "“Readers do not block writers with the write-ahead log, e.g. in version 3.7.0 and later.” [1]"
      ))
    #expect(text.contains("“The rollback journal holds the original content"))
    #expect(text.contains("1. [Write-Ahead Logging](https://example.org/wal)"))
    #expect(text.contains(#"2. [Rollback \[journal\]](https://example.org/journal)"#))
    for word in ["cookies", "PRAGMA", "Bananas"] { #expect(!text.contains(word)) }
  }

  @Test func `research without sources says so`() {
    #expect(text(.researcher).contains("No sources were given that could be read"))
  }

  @Test func `the brief has only sentences that the research has`() {
    let research = text(.researcher, sources: Self.sources)
    let work = [Brief.Material(source: "researcher", text: research)]
    let brief = text(.producer, previous: work)
    let quotes = PriorWork.quotes(brief)
    #expect(quotes.count >= 3)
    #expect(Set(quotes.map(\.text)).isSubset(of: PriorWork.quotes(research).map(\.text)))
    #expect(brief.contains("## In short"))
    #expect(brief.contains("1. [Write-Ahead Logging](https://example.org/wal)"))
  }

  @Test func `a brief from nothing invents nothing`() {
    let research = text(.researcher)
    let brief = text(.producer, previous: [Brief.Material(source: "researcher", text: research)])
    #expect(brief.contains("There is nothing to write from"))
    #expect(!brief.contains("“"))
  }

  @Test func `a brief from a language model's research quotes that`() {
    let research = "The write-ahead log of SQLite lets readers and a writer work side by side."
    let brief = text(.producer, previous: [Brief.Material(source: "researcher", text: research)])
    #expect(brief.contains("“\(research)” [1]"))
    #expect(brief.contains("1. researcher"))
  }

  @Test func `the review passes what is sourced and names what is not`() {
    let work = """
      # Report

      - The rollback journal of SQLite is older than the write-ahead log is. [1]
      - Nobody has ever said where this claim might have come from.

      ## Sources

      1. [A page](https://example.org/a)
      """
    let review = text(.qaReviewer, previous: [Brief.Material(source: "producer", text: work)])
    #expect(review.contains("- PASS **Sources**: 1 named."))
    #expect(review.contains("- FAIL **A source for each statement**: 1 of 2 carry none."))
    #expect(review.contains("“Nobody has ever said where"))
    #expect(review.contains("- FAIL **Length**"))
  }

  @Test func `the review finds a quote that was changed, and a number that is not listed`() {
    let research = text(.researcher, sources: Self.sources)
    let brief = text(.producer, previous: [Brief.Material(source: "researcher", text: research)])
      .replacing("original content", with: "invented content").replacing("” [2]", with: "” [9]")
    let review = text(
      .qaReviewer,
      previous: [
        Brief.Material(source: "researcher", text: research),
        Brief.Material(source: "producer", text: brief),
      ])
    #expect(review.contains("- FAIL **Quotes as in the research**"))
    #expect(review.contains("- FAIL **Cited numbers are listed**: [9]"))
  }

  @Test func `another role answers from the material, or says that it cannot`() {
    let role = Role(rawValue: "assistant")
    #expect(text(role, sources: Self.sources).contains("“"))
    #expect(text(role).contains("cannot answer"))
  }

  @Test func `the same request gives the same answer`() {
    for role in Role.planned + [.ceo] {
      let once = text(role, sources: Self.sources, previous: Self.sources)
      #expect(text(role, sources: Self.sources, previous: Self.sources) == once)
    }
  }

  @Test func `a hostile source cannot leave its line`() throws {
    let source = Brief.Material(
      source: "https://e.x/a)b(<script>`\n# x", title: "<b>*x*</b> [a](b) `c`\n# Title",
      text: "SQLite's journal is <script>alert(1)</script> `and\n**more** [x](y) ] of the log here."
    )
    let text = text(.researcher, sources: [source])
    #expect(!text.contains("<script>"))
    #expect(!text.contains("\n# Title"))
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("#") }.count == 4)
    let quote = try #require(text.split(separator: "\n").first { $0.contains("“") })
    #expect(Quote(line: quote, position: 0) != nil)
  }

  @Test func `random bytes are no trap in any role`() {
    var generator = SeededRandom(seed: 11)
    let marks = Array("[]()`*_#>-|!.?\\“”“ \n\r\t1a 。日e\u{301}")
    for _ in 0..<200 {
      let content = String((0..<200).map { _ in marks.randomElement(using: &generator) ?? "a" })
      let bytes = (0..<100).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let material = [
        Brief.Material(source: content, title: content, text: content),
        Brief.Material(source: "b", text: String(decoding: bytes, as: UTF8.self)),
      ]
      for role in Role.planned + [.ceo, Role(rawValue: "x")] {
        _ = text(role, goal: content, urls: [content], sources: material, previous: material)
      }
    }
  }

  @Test(
    arguments: [
      ("Dr. Smith met J. R. Jones at 3.5 p.m. today. They left.", 2),
      ("See fig. 3 and No. 5 of the U.S. list. \"Is it?\" she asked. Yes!", 3),
      ("これは文です。次の文！「終わり。」はい", 4), ("यह एक वाक्य है। यह दूसरा है।", 2),
      ("No end", 1), ("", 0), ("Wait… what? ok then. 2 more.", 2),
    ])
  func `sentences end where readers see them end`(paragraph: String, count: Int) {
    #expect(SentenceSplitter.sentences(of: paragraph).count == count)
  }
}
