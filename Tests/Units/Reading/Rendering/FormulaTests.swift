import Core
import Reading
import Testing

/// Formulas: each is written once, as TeX.
struct FormulaTests {
  /// A formula as KaTeX writes it.
  private static func katex(_ tex: String, display: Bool = false) -> String {
    """
    <span class=katex><span class=katex-mathml><math\(display ? " display=block" : "")>\
    <semantics><mi>m</mi><annotation encoding="application/x-tex">\(tex)</annotation></semantics>\
    </math></span><span class=katex-html aria-hidden=true><span>picture</span></span></span>
    """
  }

  /// A formula as MediaWiki writes it: hidden MathML and an image that screen readers skip.
  private static func mediaWiki(_ tex: String, style: String = "display:none") -> String {
    """
    <span class=mwe-math-element><span style="\(style)"><math alttext="{\\displaystyle \(tex)}">\
    <mi>m</mi></math></span><img src=/v class="mwe-math-fallback-image-inline mw-invert" \
    aria-hidden=true alt="{\\displaystyle \(tex)}"></span>
    """
  }

  @Test(
    "a formula is TeX between dollar signs",
    arguments: [
      ("<p>a \(Self.katex("p_{i}")) b", "a $p_{i}$ b"),
      ("<p>a \(Self.mediaWiki("v")) b", "a $v$ b"),
      ("<p>a \(Self.mediaWiki("v", style: "")) b", "a $v$ b"),
      ("<p>a \(Self.katex("\\sum_i x_i", display: true)) b", "a\n\n$$\\sum_i x_i$$\n\nb"),
      ("<p>a <img class=latex alt='x^2' src=l.png> b", "a $x^2$ b"),
      ("<p>a <math alttext='\\[y\\]'><mi>y</mi></math> b", "a\n\n$$y$$\n\nb"),
      ("<p>a <math><mi>x</mi></math><math><mi>y</mi></math>", "a $x$ $y$"),
      ("<p>a <math alttext='5\\ '><mn>5</mn></math>", "a $5$"),
    ])
  func formula(_ html: String, _ expected: String) throws {
    #expect(try markdown(html) == expected)
    #expect(try text(html) == expected)
  }

  @Test(
    "TeX in a script is a formula, and MathJax's picture of it is left out",
    arguments: [
      ("<p>a <script type='math/tex'>x^2 < y</script> b", "a $x^2 < y$ b"),
      ("<p>a<script type='math/tex; mode=display'>y</script>b", "a\n\n$$y$$\n\nb"),
      (
        "<p>a <script type='math/tex'>% <![CDATA[\nx \\\\ y %]]></script> b", "a $x \\\\ y$ b"
      ),
      (
        """
        <p>a <span class=MathJax_Preview>v</span><span class=MathJax><nobr>x2</nobr></span>\
        <script type=math/tex id=MathJax-Element-1>x^2</script> b
        """, "a $x^2$ b"
      ),
      ("<p>a <span class=MathJax>x2</span> b", "a x2 b"),
      ("<p>a <script type='text/x-mathjax-config'>x</script> b", "a b"),
      ("<p>a <script type='math/tex'> </script> b", "a b"),
    ])
  func script(_ html: String, _ expected: String) throws {
    #expect(try markdown(html) == expected)
    #expect(try text(html) == expected)
  }

  @Test func `a formula for screen readers is read if its picture is hidden from them`() throws {
    let style = "<style>.katex-mathml{position:absolute;clip:rect(1px,1px,1px,1px)}</style>"
    #expect(try text("\(style)<p>a \(Self.katex("p_i")) b") == "a $p_i$ b")
    let lone = "<span class=katex-mathml><math><mi>secret</mi></math></span>"
    #expect(try text("\(style)<p>a \(lone) b") == "a b")
  }

  @Test(
    "MathML without TeX becomes TeX",
    arguments: [
      ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "\\frac{1}{2}"),
      ("<msup><mi>x</mi><mn>2</mn></msup>", "x^2"),
      ("<msubsup><mi>x</mi><mn>1</mn><mn>10</mn></msubsup>", "x_1^{10}"),
      ("<msup><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></msup>", "{a+b}^2"),
      (
        "<msqrt><mi>x</mi></msqrt><mo>−</mo><mroot><mi>y</mi><mn>3</mn></mroot>",
        "\\sqrt{x}-\\sqrt[3]{y}"
      ),
      (
        "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>",
        "∑_{i=1}^n"
      ),
      ("<mi>sin</mi><mo>\u{2061}</mo><mi>x</mi>", "\\sin x"),
      ("<mover><mi>x</mi><mo>¯</mo></mover><mtext>a_b</mtext>", "\\overline{x}\\text{a\\_b}"),
      ("<mi>x</mi><mtext hidden>secret</mtext><mphantom><mi>y</mi></mphantom>", "x"),
      (
        "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd>"
          + "<mtd><mn>4</mn></mtd></mtr></mtable>",
        "\\begin{matrix} 1 & 2 \\\\ 3 & 4 \\end{matrix}"
      ),
    ])
  func mathML(_ html: String, _ expected: String) throws {
    #expect(try text("<p>a <MATH>\(html)</math>") == "a $\(expected)$")
  }

  @Test(
    "a formula cannot end itself, nor become a tag, a link or a cell",
    arguments: [
      ("x$ [a](http://e.example)", "$x\\$ [a] (http://e.example)$"),
      ("a<b`c`", "$a\\lt b‘c‘$"), ("&amp;lt;", "$& lt;$"), ("x\\", "$x$"),
    ])
  func closed(_ tex: String, _ expected: String) throws {
    #expect(try markdown("<p>a <math alttext=\"\(tex)\"><mi>m</mi></math>") == "a \(expected)")
  }

  @Test func `in a table, a formula stays in its cell`() throws {
    let cell = "<td><math display=block alttext='|x|'><mi>x</mi></math>"
    #expect(
      try markdown("<table><tr>\(cell)<td>a<tr><td>b<td>c</table>")
        == "| $\\|x\\|$ | a |\n| --- | --- |\n| b | c |")
  }

  @Test func `two prices are no formula`() throws {
    #expect(
      try markdown("<p>It costs $5 or US$10, not 3 $.") == "It costs \\$5 or US\\$10, not 3 \\$.")
    #expect(try text("<p>It costs $5 or $10.") == "It costs $5 or $10.")
  }
}
