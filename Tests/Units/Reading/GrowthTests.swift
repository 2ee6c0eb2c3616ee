import Core
import ReadingFuzz
import TestSupport
import Testing

@testable import Reading

/// The long form is Tests/Endurance/fuzz-reading.sh.
@Suite struct GrowthTests {
  @Test func `the work grows as documents do`() {
    for family in GrowthFamily.known {
      #expect(GrowthCheck.fault(family, count: 20) == nil)
    }
    for place in 0..<20 as Range<UInt64> {
      var random = SeededRandom(seed: 3, place: place)
      #expect(GrowthCheck.fault(.random(&random), count: 20) == nil)
    }
  }

  @Test(
    arguments: [
      ([100, 200, 400], nil), ([5000, 5100, 5300], nil), ([9000, 9000, 9000], nil),
      ([1_000_000, 4_000_000, 16_000_000], "grows faster than its documents"),
      ([1_000_000, 2_400_000, 5_700_000], nil),
      ([40_000_000, 41_000_000, 42_000_000], "takes too many steps a byte"),
    ] as [([Int], String?)])
  func `what grows faster is told from what does not`(steps: [Int], fault: String?) {
    #expect(GrowthCheck.fault(steps: steps, sizes: [1000, 2000, 4000]) == fault)
  }

  @Test func `end tags that close nothing cost no search`() throws {
    let html = String(repeating: "<b>", count: 511) + String(repeating: "</i>", count: 20_000)
    let deadline = Deadline(seconds: 60)
    let page = try Reader.read(
      Array((html + "text").utf8), as: .html, options: ReadOptions(), within: deadline)
    #expect(page.text == "text")
    #expect(deadline.steps < 10 * html.utf8.count + 1_000_000)
  }

  @Test func `what an end tag closes is what a search would find`() {
    var random = SeededRandom(seed: 7, place: 0)
    let tags: [Reading.Tag] = [
      .b, .i, .p, .div, .li, .ul, .table, .tbody, .tr, .td, .th, .pre, .dd, .a,
    ]
    var open = OpenElements(limit: 40)
    var stack: [Reading.Tag] = []
    for _ in 0..<20_000 {
      guard let tag = tags.randomElement(using: &random) else { continue }
      if Bool.random(using: &random) {
        _ = open.open(tag)
      } else {
        let index = Self.search(open.elements.map(\.tag), tag)
        #expect(open.index(closing: tag) == index)
        if let index { open.close(from: index) }
      }
      stack = open.elements.map(\.tag)
      #expect(open.isLiteral == stack.contains { Reading.Tag.literal.contains($0) })
    }
    #expect(stack.count <= 40)
  }

  /// The innermost element that an end tag may close, looked for from inside.
  private static func search(_ tags: [Reading.Tag], _ tag: Reading.Tag) -> Int? {
    for index in tags.indices.reversed() {
      if tags[index] == tag { return index }
      if strength(tags[index]) > strength(tag) { return nil }
    }
    return nil
  }

  private static func strength(_ tag: Reading.Tag) -> Int {
    switch tag {
    case .td, .th: 160
    case .tr: 170
    case .tbody: 180
    case .table: 190
    case .div, .ul, .pre: 150
    default: 100
    }
  }

  @Test func `addresses behind a long base do not make a large answer of a small page`() throws {
    let base = "https://a.example/" + String(repeating: "a/", count: 4000)
    let links = (0..<3000).map { "<a href=x\($0)>word</a> " }.joined()
    var options = ReadOptions(maximumCharacters: 0, deadlineSeconds: 600)
    options.isWhole = true
    let page = try Reader.read(html: Array("<base href=\(base)><p>\(links)".utf8), options: options)
    #expect(page.markdown.utf8.count < 6 << 20)
    #expect(page.text.split(separator: " ").count == 3000)
  }

  @Test func `a link's name and password are left out`() throws {
    let html = """
      <link rel=canonical href=http://u:secret@h/c><base href=http://u:secret@h/><p>
      <a href=http://u:secret@h/>a</a> <a href=//u:secret@h/x>b</a> <a href=y>c</a>
      <a href=http://me@h/>d</a><img src=https://u:secret@h/i.png alt=e>
      """
    var options = ReadOptions(baseURL: "https://u:secret@b.example/")
    options.isWhole = true
    options.keepsImages = true
    let page = try Reader.read(html: Array(html.utf8), options: options)
    #expect(
      page.links.map(\.url) == ["http://h/", "http://h/x", "http://h/y", "http://me@h/"])
    #expect(!"\(page)".contains("secret"))
  }
}
