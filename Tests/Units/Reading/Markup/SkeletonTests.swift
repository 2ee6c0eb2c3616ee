import Core
import TestSupport
import Testing

@testable import Reading
@testable import ReadingFuzz

/// What libxml2 is given in place of a page.
struct SkeletonTests {
  @Test func `whatever a page says, libxml2 sees tags that reading knows and numbers of pieces`()
    throws
  {
    let names = Set(Reading.Tag.names.map { String(decoding: $0, as: UTF8.self) })
    // A tag's name and its attributes, or a text.
    let part = #/</?([a-z0-9]+)(?: a=([@-_]+))?>|([@-_]+),/#
    for place in 0..<150 as Range<UInt64> {
      var random = SeededRandom(seed: 11, place: place)
      let document = FuzzInput().document(&random)
      let scan = MarkupScanner.scan(
        decodeText(document, contentType: nil, isHTML: true).bytes, limits: ReadLimits())
      var rest = String(decoding: scan.skeleton, as: UTF8.self)[...]
      var isKnown = true
      func check(_ digits: Substring?, _ pieces: [MarkupScanner.Piece]) {
        guard let digits else { return }
        var number = PieceNumber()
        for digit in digits.utf8 { isKnown = number.add(digit) && isKnown }
        isKnown = isKnown && pieces.indices.contains(number.value)
      }
      while let match = rest.prefixMatch(of: part) {
        if let name = match.1 { isKnown = isKnown && names.contains(String(name)) }
        check(match.2, scan.lists)
        check(match.3, scan.texts)
        rest = rest[match.range.upperBound...]
      }
      #expect(rest.isEmpty && isKnown, "place \(place)")
      #expect(String(validating: scan.text, as: UTF8.self) != nil, "place \(place)")
    }
  }

  @Test func `blank text between blocks is no node, and stays in code and beside words`() throws {
    let html = """
      <body> <div>
        <p> one <b>two</b> <i>three</i> </p> <!-- - --> <ul> <li>four </ul>
        <pre> <span>a</span>
        <div>b</div> </pre> <a>five</a> <a>six</a> </div>
      """
    let scan = MarkupScanner.scan(Array(html.utf8), limits: ReadLimits())
    let tree = try TreeBuilder.build(scan, limits: ReadLimits(), deadline: Deadline(seconds: 60))
      .tree
    let texts = tree.nodes.indices.filter { tree.nodes[$0].tag == .text }.map {
      String(decoding: tree.bytes(of: Int32($0)), as: UTF8.self)
    }
    #expect(
      texts == [
        " ", " one ", "two", " ", "three", " ", "four ", " ", "a", "\n  ", "b", " ", " ", "five",
        " ", "six", " ",
      ])
  }

  @Test(arguments: [
    "<b>one</b>\n<div style=\"display:none\">x</div><i>two</i>",
    "<b>one</b><div hidden>x</div>\n<i>two</i>", "<b>one</b> </div><i>two</i>",
    "<b>one</b> </body> <i>two</i>", "<p><b>one</b> <body class=x> <i>two</i>",
    "<b>one</b><nav>x</nav> <i>two</i>",
  ])
  func `words stay apart around what is left out`(html: String) throws {
    var options = ReadOptions()
    options.isWhole = true
    let text = try Reader.read(html: Array(html.utf8), options: options).text
    #expect(text.split(whereSeparator: \.isWhitespace).filter { $0 != "x" } == ["one", "two"])
  }

  @Test func `a form feed parts words and is nothing in code`() throws {
    var options = ReadOptions()
    options.isWhole = true
    let page = try Reader.read(
      html: Array("<p>one\u{C}two<pre>three\r\n\u{C}four</pre>".utf8), options: options)
    #expect(page.text == "one two\n\nthree\nfour")
    #expect(page.markdown == "one two\n\n```\nthree\nfour\n```")
  }
}
