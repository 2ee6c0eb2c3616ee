import Foundation
import Reading
public import TestSupport

/// Documents that are one another's like but for their length: one part so many times, then another
/// one many times as often, as whatever is searched in what is open grows with both.
public struct GrowthFamily: Sendable {
  /// How a document is read.
  public enum Way: String, Sendable, CaseIterable {
    case html, whole, feed, markdown, text
  }

  var head = ""
  var first = ""
  var middle = ""
  var second = ""
  var tail = "text"
  /// Whether the parts take turns, the second one of each turn alone.
  var isMixed = false
  var way = Way.html
  /// Scalars that are kept of the text; 0 keeps all.
  var limit = 0
  /// Steps that its documents may take however short they are: those of more than a few words are
  /// looked at more closely, and some of what grows the reader bounds: how many rules it looks at, how
  /// long a base is, and a span of code that is joined to the one before.
  var anyway = 100_000

  /// What a report calls it.
  public var name: String {
    let parts = [head, first, middle, second, tail].map { part in
      "'" + part.prefix(60).replacing("\n", with: "\\n") + "'"
    }
    return "\(way.rawValue), \(isMixed ? "mixed: " : "")" + parts.joined(separator: " ")
  }

  /// A document with the first part so many times, and the second one so often for each.
  func document(_ count: Int, each: Int) -> [UInt8] {
    let body =
      isMixed
      ? String(repeating: first + second, count: count * max(1, each / 4))
      : String(repeating: first, count: count) + middle
        + String(repeating: second, count: count * each)
    return Array((head + body + tail).utf8)
  }

  /// Reads one of its documents; an answer or a refusal is all the same here.
  func read(_ document: [UInt8], _ deadline: Deadline) {
    var options = ReadOptions(maximumCharacters: limit, baseURL: "https://a.example/dir/page")
    options.isWhole = way == .whole
    let kind: DocumentKind =
      switch way {
      case .html, .whole: .html
      case .feed: .feed
      case .markdown: .markdown
      case .text: .text
      }
    _ = try? Reader.read(document, as: kind, options: options, within: deadline)
  }

  /// A family of parts that chance puts together.
  public static func random(_ random: inout SeededRandom) -> GrowthFamily {
    var family = GrowthFamily()
    family.first = part(&random)
    family.second = part(&random)
    if random.chance(3) { family.middle = part(&random) }
    if random.chance(3) { family.head = part(&random) }
    if random.chance(4) { family.head += "<style>.hidden{opacity:0}p.a{display:none}</style>" }
    if random.chance(4) { family.second += "word " }
    family.isMixed = random.chance(4)
    family.way = random.chance(5) ? Way.allCases.randomElement(using: &random) ?? .html : .html
    if family.way == .html, random.chance(3) { family.way = .whole }
    if random.chance(4) { family.limit = 2000 }
    let text = family.first + family.middle + family.second
    if ["<code", "<kbd", "<samp", "<math"].contains(where: text.contains) { family.anyway = bound }
    return family
  }

  private static let bound = 4_000_000

  private static func part(_ random: inout SeededRandom) -> String {
    let element = FuzzSeeds.elements.randomElement(using: &random) ?? "p"
    var attributes = ""
    for _ in 0..<random.small(below: 3) {
      attributes += " " + (FuzzSeeds.attributes.randomElement(using: &random) ?? "a")
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "</\(element)>"
    case 1: return "<\(element)\(attributes)>x</\(element)>"
    case 2: return FuzzSeeds.tokens.randomElement(using: &random) ?? "x"
    case 3: return "<\(element)\(attributes)>x"
    default: return "<\(element)\(attributes)>"
    }
  }
}

extension GrowthFamily {
  /// What was slow once, or is made to be: deep and long, named and asked for, opened and never closed.
  public static let known: [GrowthFamily] = [
    .init(first: "<b>", second: "</i>"),
    .init(head: "<i><table><tr><td>", first: "<b>", second: "</i>"),
    .init(first: "<b>", second: "<a><a></a></a>"),
    .init(first: "<div>", second: " <p> </p>\n"),
    .init(first: "<div>", second: "<p>some words of it"),
    .init(first: "<div>", second: "<p>This is a sentence of more than eight words in it."),
    .init(first: "<div>", second: "<h2>head</h2>words <b>and</b> more"),
    .init(first: "<div>", second: "<img src=x>"),
    .init(first: "<ul><li>", second: "<p>item of a list"),
    .init(head: "<table>", first: "<div>", second: "<tr><td>cell<td>cell"),
    .init(first: "<h1>", second: "<i> </i>"),
    .init(first: "<title></title>", second: "<h1> </h1>"),
    .init(first: "<a href=/x><div>", second: "<i> </i>", tail: "<h1>x</h1>", way: .whole),
    .init(first: "<i class=author itemprop=name>", second: "?", isMixed: true),
    .init(first: "<i class=author>", second: "<b class=name></b>"),
    .init(first: "<aside>", second: "<p>1 2 3 4 5 6 7 8 9 2024 1 2 3"),
    .init(first: "<time itemprop=datePublished>", second: "<i> </i>"),
    .init(head: "<pre>", first: "<div class=gutter>", second: "<i>1 2 3</i>", tail: "x"),
    .init(first: "<table><tr><td>", second: "<i>1</i>", tail: "x<td><pre>y</pre>", way: .whole),
    .init(
      head: "<style>", first: ".a.b.c.d{opacity:0}", middle: "</style>",
      second: "<i class='x a b c d'>y</i>", anyway: bound),
    .init(
      head: "<style>", first: "p{color:red}", middle: "</style>", second: "<p>x", anyway: bound),
    .init(first: "<i class='a b c d e f g h'>", second: "<i id=x style='left:0;top:1px'>x</i>"),
    .init(head: "<p ", first: "a=b ", second: "c='d' "),
    .init(head: "<meta name=author content='", first: "by ", second: "by ", tail: "'>"),
    .init(first: "<meta name=author content='A. Writer'>", second: "<meta name=b content=c>"),
    .init(
      head: "<base href='https://a.example/", first: "a/", middle: "'>",
      second: "<a href=x>x</a> ", way: .whole, anyway: bound),
    .init(
      head: "<table>", first: "<tr><td colspan=100 rowspan=100>x<td>y", second: "<tr><td>x<td>y",
      way: .whole),
    .init(first: "<code>x</code>", second: "<code>`y</code>", way: .whole, anyway: bound),
    .init(first: "<blockquote><ol><li>", second: "x<br>", way: .whole),
    .init(first: "<math><mi>", second: "<mi>x</mi>", way: .whole),
    .init(first: "<math><mfrac>", second: "<msup><mi>x</mi><mn>2</mn></msup>", way: .whole),
    .init(first: "<x-a><template shadowrootmode=open><slot>", second: "<p slot=a>words of it</p>"),
    .init(first: "<span>", second: "x<sup>2</sup>1<sup>1</sup>/<sub>2</sub>", way: .whole),
    .init(first: "<li><a href=#a>", second: "<i>#</i>", way: .whole),
    .init(first: "<b><i>", second: "x<p>", way: .whole),
    .init(first: "<p hidden>", second: "<div style=display:none>x</div>"),
    .init(first: "<!--", second: "-->"), .init(first: "<!--", second: "-- >"),
    .init(first: "<script>", second: "</scrip>"), .init(first: "<title>", second: "&amp"),
    .init(first: "<xmp>", second: "<p>"), .init(first: "<p a='", second: "<p a=\""),
    .init(first: "<noscript><p>", second: "word ", tail: "</noscript>"),
    linkedData("{\"@type\":\"WebPage\",\"author\":[{\"@id\":\"x\"},{\"@id\":\"x\"}]},", "\"a\":1,"),
    linkedData("[", "]}"), linkedData("{\"a\":\"", "\" \\\""), linkedData("\"   ", "\" x"),
    .init(first: "[a](\n", second: "x y z ", tail: ")", way: .markdown, limit: 4000),
    .init(
      head: "[[[[[[[[ ", first: "[a](", second: "b", tail: ") " + "](u)".repeated(8),
      way: .markdown),
    .init(first: "[", second: "](x)", way: .markdown),
    .init(first: "`", second: "`` ```", way: .markdown),
    .init(first: "> - ", second: "a|b|c\n", way: .markdown),
    .init(first: "<!-- ", second: "x -->\n<!--", way: .markdown),
    .init(
      head: "<rss>", first: "<channel>", second: "<item><title>x&amp;</title></item>", way: .feed),
    .init(head: "<feed><entry>", first: "<content>", second: "</title>", way: .feed),
    .init(head: "<rss><![CDATA[", first: "<![CDATA[", second: "]]", way: .feed),
    .init(head: "<rss a='", first: "<b c=\"", second: "d='", way: .feed),
    .init(first: "http://a.example/", second: "\nhttp://b.example/x", tail: "", way: .text),
    .init(first: "\u{200D}", second: "\u{FE0F}\u{301}"),
  ]

  private static func linkedData(_ first: String, _ second: String) -> GrowthFamily {
    .init(
      head: "<script type=application/ld+json>[", first: first, middle: "{\"@id\":\"x\",",
      second: second, tail: "\"z\":1}]</script><p>text")
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
