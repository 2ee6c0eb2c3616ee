import Core
import Reading
import Testing

/// What is content of a page that has more than content.
struct ContentTests {
  private func read(_ html: String) throws -> ReadPage {
    try Reader.read(
      html: Array(html.utf8),
      options: ReadOptions(maximumCharacters: 0, baseURL: "https://a.example/story"))
  }

  private static let paragraphs = (1...6).map { number in
    """
    <p>In the year number \(number) the river rose above the old wall, and those who lived by it \
    carried what they had up the hill, where they stayed until the water was gone again.</p>
    """
  }

  /// A page of news with a story in it.
  private static func page(_ story: String) -> String {
    """
    <!DOCTYPE html><html lang=en><head><title>The river and the wall | The Daily</title></head><body>
    <header class=site-header><a href=/>The Daily</a><nav class=menu><ul><li><a href=/a>News</a>
    <li><a href=/b>Sport</a><li><a href=/c>Weather</a></ul></nav></header>
    <main><article class=post><h1>The river and the wall</h1><div class=entry-content>\(story)</div>
    </article></main>
    <aside class="sidebar related"><h2>Related stories</h2><ul><li><a href=/d>A bridge is built</a>
    <li><a href=/e>A mill burns down</a><li><a href=/f>The ferry is late again</a></ul></aside>
    <div class=newsletter><p>Sign up for our newsletter.</p></div>
    <footer class=footer><p>Copyright 2020 The Daily. All rights reserved.</p>
    <a href=/privacy>Privacy policy</a></footer></body></html>
    """
  }

  /// What is read of a page but its title, which may be a part of the story or not.
  private static func story(of page: ReadPage) -> String {
    let title = "The river and the wall\n\n"
    return page.text.hasPrefix(title) ? String(page.text.dropFirst(title.count)) : page.text
  }

  @Test func `a story is read, and nothing around it`() throws {
    let page = try read(Self.page(Self.paragraphs.joined()))
    #expect(page.pageType == .article)
    #expect(page.emptyReason == nil)
    for number in 1...6 { #expect(page.text.contains("year number \(number) the river")) }
    for other in ["Weather", "bridge", "newsletter", "Copyright", "Privacy"] {
      #expect(!page.text.contains(other), "\(page.text)")
    }
  }

  @Test(arguments: [
    "<strong>READ MORE: <a href=/mill>A mill burns down</a></strong>",
    "<a href=/mill>MEHR ZUM THEMA: EINE MÜHLE BRENNT AB</a>",
    "Lesen Sie auch: <a href=/mill>Eine Mühle brennt ab</a>",
    "<strong><a href=/mill>VEA TAMBIÉN: Un molino arde</a></strong>",
    "À lire aussi : <a href=/mill>Un moulin brûle</a>",
  ])
  func `a call to read another story is left out from between the paragraphs`(call: String) throws {
    let story = Self.paragraphs
    let page = try read(
      Self.page(story[..<3].joined() + "<p>\(call)</p>" + story[3...].joined()))
    #expect(Self.story(of: page) == Self.story(of: try read(Self.page(story.joined()))))
  }

  @Test func `a sentence that begins as a call does, and a long one that links, stay`() throws {
    let said = [
      "Read more about the wall in the book that its builder wrote.",
      "See also <a href=/wall>the wall</a> that stands on the other side of the river since then.",
    ]
    let page = try read(Self.page(Self.paragraphs.joined() + said.map { "<p>\($0)</p>" }.joined()))
    #expect(page.text.contains("Read more about the wall"))
    #expect(page.text.contains("that stands on the other side"))
  }

  @Test func `readers' answers below a short story are left out`() throws {
    let answers = [
      "I remember that the water stood in our house for three days, and nobody came to help us.",
      "My mother told me about the flood when I was young; she had seen it from the hill.",
      "The wall was too low then, and it is too low today. They should build a new one.",
      "Thank you for this story. The photograph shows the street where I was born.",
    ]
    let list = answers.enumerated().map { "<div><b>Anna \($0)</b><p>\($1)</p></div>" }.joined()
    let html = """
      <!DOCTYPE html><html lang=en><head><title>The river and the wall | The Daily</title></head><body>
      <header class=site-header><a href=/>The Daily</a><nav class=menu><ul><li><a href=/a>News</a><li>\
      <a href=/b>Sport</a><li><a href=/c>Weather</a></ul></nav></header>
      <main><article class=post><h1>The river and the wall</h1>
      <div class=entry-content>\(Self.paragraphs[..<3].joined())</div>
      <div><h3>4 responses</h3>\(list)</div>
      </article></main><footer class=footer><p>Copyright 2020 The Daily. All rights reserved.</p>\
      <a href=/privacy>Privacy policy</a></footer></body></html>
      """
    let text = try read(html).text
    for number in 1...3 { #expect(text.contains("year number \(number) the river")) }
    for answer in answers { #expect(!text.contains(answer), "\(text)") }
  }

  @Test(
    "a story in a script without spaces is told from the links around it",
    arguments: [
      (
        "河水在那一年漲過了舊牆，住在河邊的人把東西搬到山上，等水退了才回家。他們說，牆是從前的人修的，太低了。",
        "橋已經修好", "磨坊昨夜失火"
      ),
      (
        "その年、川の水は古い壁を越え、川のそばに住む人たちは荷物を丘の上に運びました。水が引くまで、そこで待っていました。",
        "橋が完成しました", "粉ひき小屋の火事"
      ),
    ])
  func unspaced(_ sentence: String, _ first: String, _ second: String) throws {
    let story = (1...6).map { "<p>\($0)、\(sentence)</p>" }
    let links = (1...8).map { "<div><a href=/\($0)>\($0) \(first)</a></div>" }.joined()
    let html = """
      <!DOCTYPE html><html><head><title>\(second)</title></head><body>
      <div class=top><a href=/>\(first)</a> <a href=/a>\(second)</a></div>
      <div class=text>\(story.joined())</div><div class=list><h3>\(second)</h3>\(links)</div>
      </body></html>
      """
    let text = try read(html).text
    for number in 1...6 { #expect(text.contains("\(number)、\(sentence)")) }
    for number in 1...8 { #expect(!text.contains("\(number) \(first)")) }
  }

  @Test func `a second copy of a page made for another width is left out`() throws {
    let story = Self.paragraphs.joined()
    let twice = try read(Self.page("<div>\(story)</div><div class=mobile>\(story)</div>"))
    #expect(Self.story(of: twice) == Self.story(of: try read(Self.page(story))))
  }

  @Test func `what a table says twice stays in both rows`() throws {
    let rows = (1...8).map { "<tr><td>The same long name<td>\($0)00 feet<td>high water" }.joined()
    let table = "<table><tr><th>Place of the wall<th>Height<th>State\(rows)</table>"
    let page = try read(Self.page(Self.paragraphs.joined() + table))
    for row in 1...8 {
      #expect(page.markdown.contains("| The same long name | \(row)00 feet | high water |"))
    }
  }

  @Test(
    "a page without content says why",
    arguments: [
      ("<script>x</script><div id=root></div>", EmptyReason.needsScript),
      (
        """
        <title>A blue chair of solid oak</title><script>x</script><div id=root></div>
        <div><a href=/a>All categories</a> <a href=/b>Our group</a> <a href=/c>Help</a></div>
        """, .needsScript
      ),
      (
        "<script>x</script><noscript><p>Please enable JavaScript to run this app.</p></noscript>",
        .needsScript
      ),
      ("<div></div>", .noText),
      (
        """
        <script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}
        </script><div></div>
        """, .paywall
      ),
    ])
  func empty(_ html: String, _ reason: EmptyReason) throws {
    let page = try read(html)
    #expect(page.text.isEmpty)
    #expect(page.emptyReason == reason)
  }
}
