import Foundation
import Testing

/// What web-fetch reads of pages that other readers change or lose parts of.
@Suite("web-fetch, reading")
struct ReadPagesTests {
  /// Returns the text and the Markdown that web-fetch writes for the given body.
  private func read(_ body: String, _ scratch: Scratch) async throws -> [String] {
    let run = try await scratch.shell(
      "web-fetch --html | jq -c '[.text, .markdown]'",
      input: "<!doctype html><title>T</title><body><main><h1>Cells</h1>\(body)</main>")
    #expect(run.statuses == [0, 0])
    return try JSONDecoder().decode([String].self, from: Data(run.output.utf8))
  }

  @Test func `numbers keep their value, and formulas are written once`() async throws {
    try await Scratch.with { scratch in
      let numbers = try await read(
        """
        <p>Each dish had 10<sup>6</sup> cells in 3<sup>1</sup>/<sub>2</sub> ml, 2<sup>nd</sup> row; \
        x<sub>1</sub><sup>2</sup>.<sup><a href="#n1">3</a></sup>
        """, scratch)
      let text = "Cells\n\nEach dish had 10⁶ cells in 3 1/2 ml, 2nd row; x₁²."
      #expect(numbers == ["\(text)[3]", "# \(text)[3]"])
      let formulas = try await read(
        """
        <p>The speed <span><span style="display: none;"><math alttext="{\\displaystyle v_{0}}">\
        <mi>v</mi></math></span><img class="mwe-math-fallback-image-inline" aria-hidden="true" \
        alt="{\\displaystyle v_{0}}"></span> is <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> \
        of all:<math display="block" alttext="\\sum x_i"><mi>x</mi></math>It costs $5 or $10.
        """, scratch)
      let before = "The speed $v_{0}$ is $\\frac{1}{2}$ of all:\n\n$$\\sum x_i$$\n\nIt costs "
      #expect(
        formulas == ["Cells\n\n\(before)$5 or $10.", "# Cells\n\n\(before)\\$5 or \\$10."])
    }
  }

  @Test func `parts of a cell stay apart, and a declared shadow tree is read`() async throws {
    try await Scratch.with { scratch in
      let table = try await read(
        "<table><tr><td>Tue<td><p>8<tr><td>Wed<td><ul><li>10<li>14</ul></table>", scratch)
      #expect(
        table == [
          "Cells\n\nTue\t8\nWed\t10, 14",
          "# Cells\n\n| Tue | 8 |\n| --- | --- |\n| Wed | 10, 14 |",
        ])
      let shadow = try await read(
        """
        <x-a><template shadowrootmode="open"><p>One.</p><slot name="b"></slot><slot></slot>\
        </template><p>Three.</p><p slot="b">Two.</p></x-a><template><p>No.</p></template>
        """, scratch)
      #expect(shadow == ["Cells\n\nOne.\n\nTwo.\n\nThree.", "# Cells\n\nOne.\n\nTwo.\n\nThree."])
    }
  }

  @Test func `the sources of a story are read with their heading`() async throws {
    try await Scratch.with { scratch in
      let prose = """
        <p>The house is closed for repairs until the end of March. Meetings move to the station, and \
        the library answers by letter only. Members who lent manuals get them back in April.</p>
        """
      let page = try await read(
        """
        \(prose)\(prose.replacing("house", with: "mill"))\(prose.replacing("house", with: "hall"))\
        <h2>Sources</h2><ol><li><a href="/s1">Letter of the works, 3 May 1958</a></li><li>\
        <a href="/s2">Price list of the works, 1961</a></li></ol>
        """, scratch)
      let items = ["Letter of the works, 3 May 1958", "Price list of the works, 1961"]
      #expect(page[0].hasSuffix("Sources\n\n\(items[0])\n\(items[1])"))
      #expect(page[1].hasSuffix("## Sources\n\n1. [\(items[0])](/s1)\n2. [\(items[1])](/s2)"))
    }
  }
}
