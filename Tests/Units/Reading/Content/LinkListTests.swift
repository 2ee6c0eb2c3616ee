import Core
import Reading
import Testing

/// The lists of links that are a part of the story.
struct LinkListTests {
  private static let prose = (1...4).map { number in
    """
    <p>In the year number \(number) the river rose above the old wall, and those who lived by it \
    carried what they had up the hill, where they stayed until the water was gone again.</p>
    """
  }

  /// A page whose story has the given part, between two paragraphs or at its end.
  private static func page(_ part: String, atEnd: Bool = false) -> String {
    """
    <!DOCTYPE html><title>The river and the wall</title><body><nav><a href=/>Home</a> \
    <a href=/parts>Parts</a> <a href=/contact>Contact</a></nav><main><article>\
    <h1>The river and the wall</h1>\(prose[0])\(prose[1])\
    \(atEnd ? prose[2] + prose[3] + part : prose[2] + part + prose[3])</article></main>\
    <footer>Club, Box 12. <a href=/imprint>Imprint</a></footer>
    """
  }

  private static let files =
    "<ul><li><a href=/f/map.pdf>Map, 9 MB</a><li><a href=/f/plan.pdf>Plan, 4 MB</a></ul>"
  private static let pages =
    "<ol><li><a href=/s1>Letter of the works</a><li><a href=/s2>Price list</a></ol>"

  private func text(_ part: String, atEnd: Bool = false) throws -> String {
    let options = ReadOptions(maximumCharacters: 0, baseURL: "https://a.example/story")
    return try Reader.read(html: Array(Self.page(part, atEnd: atEnd).utf8), options: options).text
  }

  @Test(arguments: [
    "<h4>Downloads</h4>\(Self.files)", "<h4>Old maps</h4>\(Self.files)",
    "<p><strong>Downloads</strong></p>\(Self.files)", "<p>The files are these:</p>\(Self.files)",
    "<div><h4>Old maps</h4></div><div>\(Self.files)</div>", "<h2>Sources</h2>\(Self.pages)",
    "<p>The papers are these:</p>\(Self.pages)", "<h3>Quellen</h3>\(Self.pages)",
  ])
  func `a list that a heading or a sentence introduces is read with it`(part: String) throws {
    for atEnd in [false, true] {
      let text = try text(part, atEnd: atEnd)
      let isFiles = part.contains("map.pdf")
      #expect(text.contains(isFiles ? "Map, 9 MB\nPlan, 4 MB" : "Letter of the works\nPrice list"))
      let lead = part.split(whereSeparator: { "<>".contains($0) }).first {
        $0.first?.isUppercase ?? false
      }
      #expect(text.contains(lead ?? "none"))
      #expect(!text.contains("Imprint") && !text.contains("Contact"))
    }
  }

  @Test(arguments: [
    "<h3>Related stories</h3>\(Self.pages)", "<h3>Read next</h3>\(Self.pages)",
    "<h3>More</h3>\(Self.files)",
    "<p>Share this story:</p><ul><li><a href='https://t.me/share'>Telegram</a></ul>",
    "<p>Tags:</p><ul><li><a href=/tag/river>River</a><li><a href=/tag/wall>Wall</a></ul>",
    "<h3>Sources</h3><ul class=related-posts><li><a href=/s1>Letter of the works</a></ul>",
    "<h3>Contents</h3><ul><li><a href='#a'>Letter of the works</a></ul>",
  ])
  func `a list that leads away from the story is left out`(part: String) throws {
    let text = try text(part, atEnd: true)
    for word in ["Letter", "Map", "Telegram", "River\n"] { #expect(!text.contains(word)) }
  }
}
