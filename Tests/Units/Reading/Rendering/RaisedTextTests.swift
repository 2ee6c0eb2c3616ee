import Core
import Reading
import Testing

/// Exponents, indices, fractions and the marks of footnotes.
struct RaisedTextTests {
  @Test(
    "a number keeps its value, and a mark stays apart from its word",
    arguments: [
      ("10<sup>6</sup> cells", "10⁶ cells"), ("10<sup>-19</sup> C", "10⁻¹⁹ C"),
      ("10<sup>–3</sup>", "10⁻³"), ("4 m<sup>2</sup>.", "4 m²."),
      ("x<sub>1</sub><sup>2</sup>", "x₁²"), ("H<sub>2</sub>O", "H₂O"),
      ("Ca<sup>2+</sup> and Na<sup>+</sup>", "Ca²⁺ and Na⁺"),
      ("2<sup>n</sup> and e<sup>-x</sup>", "2^n and e^(-x)"), ("10<sup>0.5</sup>", "10^(0.5)"),
      ("a<sup>n</sup>b", "a^(n)b"), ("2<sup>2<sup>n</sup></sup>", "2^(2^n)"),
      ("<i>x</i><sub>i</sub>", "x_i"), ("v<sub>max</sub>", "v_max"),
      ("(a+b)<sup>2</sup>", "(a+b)²"),
      ("3<sup>1</sup>/<sub>2</sub> ml", "3 1/2 ml"), ("<sup>1</sup>⁄<sub>2</sub> ml", "1⁄2 ml"),
      ("a (<sup>3</sup>/<sub>4</sub>) b", "a (3/4) b"),
      ("2<sup>nd</sup> row", "2nd row"), ("XX<sup>e</sup> siècle", "XXe siècle"),
      ("M<sup>me</sup> Curie", "Mme Curie"), ("n<sup>o</sup> 5", "no 5"),
      ("the n<sup>th</sup> time", "the nth time"), ("Name<sup>TM</sup>", "Name™"),
      ("20<sup>°</sup> and word<sup>*</sup>", "20° and word*"),
      ("a tool<sup>new</sup>", "a tool new"), ("a fact<sup>[1]</sup>.", "a fact[1]."),
      ("a fact<sup><a href='#n'>1</a></sup>.", "a fact[1]."),
      ("in 2019<sup><a href='#a'>3</a>,<a href='#b'>\n 4\n</a></sup>", "in 2019[3],[4]"),
      ("a fact<a href='#n'><sup>2</sup></a>", "a fact[2]"),
      ("a fact.<sup>2</sup> More", "a fact.² More"), ("<sup>1</sup> See there", "1 See there"),
      ("one<br><sup>2</sup> two", "one\n2 two"), ("<code>2<sup>n</sup></code>", "2^n"),
    ])
  func raised(_ html: String, _ expected: String) throws {
    let page = try Reader.read(html: Array("<p>\(html)</p>".utf8), options: ReadOptions())
    #expect(page.text == expected)
  }

  @Test(
    "in Markdown, too",
    arguments: [
      ("10<sup>6</sup>", "10⁶"), ("<i>x</i><sub>i</sub>", "*x*\\_i"), ("2<sup>n</sup>", "2^n"),
      ("3<sup>1</sup>/<sub>2</sub>", "3 1/2"), ("<code>10<sup>6</sup></code>", "`10⁶`"),
      ("word<sup>*</sup> a", "word\\* a"),
      (
        "a<sup><a href='#a'>3</a>,<a href='#b'>\n 4\n</a></sup>",
        "a[\\[3\\]](https://a.example/x/y?z#a),[\\[4\\]](https://a.example/x/y?z#b)"
      ),
      ("a<a href='#a'><sup>2</sup></a>", "a[\\[2\\]](https://a.example/x/y?z#a)"),
      ("a <a href=/b>10<sup>6</sup> b</a>", "a [10⁶ b](https://a.example/b)"),
    ])
  func markdownText(_ html: String, _ expected: String) throws {
    #expect(try markdown("<p>\(html)</p>") == expected)
  }

  @Test(
    "the texts of links, too",
    arguments: [
      ("10<sup>6</sup> cells", "10⁶ cells"), ("3<sup>1</sup>/<sub>2</sub> ml", "3 1/2 ml"),
      ("2<sup>2<sup>n</sup></sup>", "2^(2^n)"), ("a tool<sup>new</sup>", "a tool new"),
      ("is <math alttext='x^2'><mi>x</mi></math>", "is $x^2$"),
    ])
  func linkText(_ html: String, _ expected: String) throws {
    let page = try Reader.read(
      html: Array("<p>a <a href=https://a.example/b>\(html)</a></p>".utf8), options: ReadOptions())
    #expect(page.links == [PageLink(url: "https://a.example/b", text: expected)])
  }

  @Test(
    "and the title",
    arguments: [
      ("<h1>From 10<sup>6</sup> cells</h1>", "From 10⁶ cells"),
      ("<title>From 106 cells | Lab</title><h1>From 10<sup>6</sup> cells</h1>", "From 10⁶ cells"),
      ("<title>From 10^6 cells - Lab</title><h1>From 10<sup>6</sup> cells</h1>", "From 10⁶ cells"),
    ])
  func title(_ html: String, _ expected: String) throws {
    let page = try Reader.read(html: Array("\(html)<p>a</p>".utf8), options: ReadOptions())
    #expect(page.title == expected)
  }

  @Test(
    "deleted text stays apart from the text that replaces it",
    arguments: [
      ("<del>10</del>12", "10 12", "~~10~~ 12"), ("<s>old</s>new.", "old new.", "~~old~~ new."),
      ("<strike>$5</strike>$6", "$5 $6", "~~\\$5~~ \\$6"),
      ("<ins>12</ins><del>10</del>, a", "12 10, a", "12 ~~10~~, a"),
      ("<b>a</b><del>b</del>", "a b", "**a** ~~b~~"), ("(<del>a</del>)", "(a)", "(~~a~~)"),
    ])
  func deletion(_ html: String, _ text: String, _ marked: String) throws {
    let page = try Reader.read(html: Array("<p>\(html)</p>".utf8), options: ReadOptions())
    #expect(page.text == text)
    #expect(page.markdown == marked)
  }
}
