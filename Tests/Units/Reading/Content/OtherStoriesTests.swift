import Core
import Reading
import Testing

/// The links to other stories of a site among the paragraphs of a story.
struct OtherStoriesTests {
  private static let prose = (1...6).map { number in
    """
    <p>In the year number \(number) the river rose above the old wall, and those who lived by it \
    carried what they had up the hill, where they stayed until the water was gone again.</p>
    """
  }

  private static func page(_ part: String) -> String {
    """
    <!DOCTYPE html><html lang=en><head><title>The river and the wall | The Daily</title>\
    <meta property=og:type content=article></head><body><nav><a href=/>News</a> \
    <a href=/sport>Sport</a></nav><main><article class=post><h1>The river and the wall</h1>\
    <div class=entry-content>\(prose[..<3].joined())\(part)\(prose[3...].joined())</div></article>\
    </main><footer>Copyright 2020 The Daily. <a href=/privacy>Privacy policy</a></footer>
    """
  }

  private func text(_ part: String) throws -> String {
    let options = ReadOptions(maximumCharacters: 0, baseURL: "https://a.example/story")
    return try Reader.read(html: Array(Self.page(part).utf8), options: options).text
  }

  @Test(arguments: [
    "<p><strong><a href=/mill>THE MILL BY THE BRIDGE BURNS DOWN IN ONE NIGHT</a></strong></p>",
    "<p><a href=https://a.example/mill>The mill by the bridge burns down</a></p>",
    "<p><b>MORE: <a href=/mill>The mill by the bridge burns down</a></b></p>",
    "<p>Nota relacionada: <a href=/mill>Un molino arde junto al puente</a></p>",
    """
    <h4>You may also like...</h4><ul><li><a href=/mill>The mill by the bridge burns down</a>\
    <li><a href=/ferry>The ferry is late for the third time</a></ul>
    """,
    """
    <div>Related news</div><div><a href=/mill>The mill by the bridge burns down</a></div>\
    <div><a href=/ferry>The ferry is late for the third time</a></div>
    """,
  ])
  func `a line that is only the headline of another story is left out`(line: String) throws {
    #expect(try text(line) == text(""))
  }

  @Test(arguments: [
    "<p><a href=https://b.example/report>The report of the river board on the flood</a></p>",
    "<p>The board wrote a report:</p><p><a href=/r>The river, the wall and the flood</a></p>",
    "<p><a href=/files/report.pdf>The report of the river board on the flood</a></p>",
    "<p>The board says so in <a href=/r>its report on the river and the flood</a></p>",
    "<p><a href=/r>The report</a></p>",
  ])
  func `a link to another site, to a file, or from a sentence stays`(line: String) throws {
    let link = line.split(separator: "<a href=").last?.split(separator: ">")[1].prefix(10) ?? ""
    #expect(try text(line).contains(link))
  }
}
