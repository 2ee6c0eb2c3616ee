import Core
import Foundation
import Reading
import TestSupport
import Testing

/// Reads Markdown with markdown-it, where python3 has it: a reader that is not ours.
private enum MarkdownIt {
  static let isThere = (try? run([""])) != nil

  private static let script = """
    import json, sys
    from html.parser import HTMLParser
    from markdown_it import MarkdownIt
    ends = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "br", "pre", "hr"}
    known = ends | {"ul", "ol", "blockquote", "table", "thead", "tbody", "tr", "a", "em", "strong",
      "s", "code"}
    class Text(HTMLParser):
        def __init__(self):
            super().__init__(convert_charrefs=True)
            self.text, self.links, self.odd = "", [], []
        def handle_starttag(self, tag, attributes):
            if tag in ends: self.text += " "
            if tag == "a": self.links.append(dict(attributes)["href"])
            if tag not in known: self.odd.append(tag)
        def handle_endtag(self, tag):
            if tag in ends: self.text += " "
        def handle_data(self, data): self.text += data
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    answers = []
    for document in json.load(sys.stdin):
        text = Text()
        text.feed(reader.render(document))
        text.close()
        answers.append({"text": text.text, "links": text.links, "odd": text.odd})
    json.dump(answers, sys.stdout)
    """

  struct Answer: Decodable {
    var text: String
    var links: [String]
    var odd: [String]
  }

  private struct Failed: Error {}

  static func run(_ documents: [String]) throws -> [Answer] {
    let process = Process()
    let (stdin, stdout) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script]
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = FileHandle.nullDevice
    try process.run()
    try? stdin.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(documents))
    try? stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed() }
    return try JSONDecoder().decode([Answer].self, from: output)
  }
}

/// Makes documents of elements in each other, full of what means something in Markdown.
private struct DocumentMaker {
  var random: SeededRandom

  private static let words = [
    "a", "b*", "*c", "**", "_x_", "_", "snake_case", "`", "``", "[x]", "[", "](u)", "](", "!",
    "![a](b)", "<b>", "<", "&amp;", "&", "&copy;", "#", "##", "-", "---", "+", "1.", "12)", "=",
    "===", ">", "~~", "~x~", "|", "\\", "\\*", "a\\", "word", "é", "“q”", "—", "£5", "你好", "。",
    "(x)", "\"q\"", "[^1]:", "[a]:", "x]:y", "- [ ]", "|---|", ":--", "a|b", "$x$", "{x}", "*",
    "2019.", "<!--", "<div>", "&#35;", "/~user",
  ]

  private mutating func text(_ most: UInt64) -> String {
    var text = ""
    for _ in 0..<(1 + random.next() % most) {
      text += random.pick(Self.words) + random.pick([" ", " ", " ", ""])
    }
    return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }

  private mutating func inline(_ depth: Int) -> String {
    var html = ""
    for _ in 0..<(1 + random.next() % 4) {
      let kind = random.next() % 100
      switch depth > 3 ? 0 : kind {
      case 0..<45: html += text(3)
      case 45..<60: html += "<b>\(inline(depth + 1))</b>"
      case 60..<72: html += "<i>\(inline(depth + 1))</i>"
      case 72..<76: html += "<del>\(inline(depth + 1))</del>"
      case 76..<86:
        let address = random.pick(["/a", "http://x.example/(z)?a=1&amp;copy;", "b)c", "?x=%20[y]"])
        html += "<a href=\"\(address)\">\(inline(depth + 1))</a>"
      case 86..<94: html += "<code>\(text(2))</code>"
      case 94..<97: html += "<br>"
      default: html += "<span>\(inline(depth + 1))</span>"
      }
      html += random.pick(["", " "])
    }
    return html
  }

  mutating func blocks(_ depth: Int) -> String {
    var html = ""
    for _ in 0..<(1 + random.next() % 3) {
      switch depth > 3 ? 0 : random.next() % 100 {
      case 0..<35: html += "<p>\(inline(0))</p>"
      case 35..<45: html += "<h2>\(inline(0))</h2>"
      case 45..<60: html += "<ul>\(items(depth))</ul>"
      case 60..<70: html += "<ol start=\(random.pick([1, 1, 3, 10]))>\(items(depth))</ol>"
      case 70..<78: html += "<blockquote>\(blocks(depth + 1))</blockquote>"
      case 78..<84: html += "<pre>\(text(3))\n  \(text(3))</pre>"
      case 84..<90: html += "<table>\(row())\(row())\(row())</table>"
      case 90..<92: html += "<hr>"
      case 92..<96: html += "<dl><dt>\(inline(0))</dt><dd>\(inline(0))</dd></dl>"
      default: html += "<a href=/z>\(blocks(depth + 1))</a>"
      }
    }
    return html
  }

  private mutating func items(_ depth: Int) -> String {
    var html = ""
    for _ in 0..<(1 + random.next() % 3) {
      html += "<li>\(random.happens(50) ? inline(0) : blocks(depth + 1))</li>"
    }
    return html
  }

  private mutating func row() -> String {
    "<tr><td>\(inline(1))</td><td>\(inline(1))</td></tr>"
  }
}

@Suite(.enabled(if: MarkdownIt.isThere, "python3 has no markdown-it-py"))
struct MarkdownRoundTripTests {
  /// A text without white space, which a table and a list have more of than others, and without the
  /// commas between the parts of a cell.
  private func squeezed(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "," }))
  }

  @Test func `another reader reads the same text, and no other links`() throws {
    var maker = DocumentMaker(random: SeededRandom(seed: 3))
    var options = ReadOptions(baseURL: "https://h.example/j/")
    options.isWhole = true
    options.maximumCharacters = 0
    var sources: [String] = []
    var pages: [ReadPage] = []
    for _ in 0..<1500 {
      sources.append("<body><main>\(maker.blocks(1))</main>")
      pages.append(try Reader.read(html: Array(sources.last?.utf8 ?? "".utf8), options: options))
    }
    let answers = try MarkdownIt.run(pages.map(\.markdown))
    #expect(answers.count == pages.count)
    for (index, answer) in answers.enumerated() {
      let page = pages[index]
      #expect(
        squeezed(answer.text) == squeezed(page.text), "\(sources[index])\n\n\(page.markdown)")
      #expect(answer.odd.isEmpty, "\(sources[index])")
      #expect(answer.links.allSatisfy { $0.hasPrefix("http") }, "\(sources[index])")
    }
  }
}
