/// What documents are made of.
enum FuzzSeeds {
  static let elements = [
    "p", "div", "span", "a", "b", "i", "em", "strong", "u", "s", "code", "pre", "kbd", "samp", "ul",
    "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption",
    "colgroup", "col", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "q", "hr", "br", "wbr",
    "img", "picture", "source", "figure", "figcaption", "video", "audio", "iframe", "object",
    "embed", "svg", "math", "template", "noscript", "script", "style", "textarea", "title", "head",
    "body", "html", "meta", "link", "base", "form", "input", "select", "option", "optgroup",
    "button", "label", "fieldset", "details", "summary", "dialog", "article", "section", "main",
    "aside", "nav", "header", "footer", "address", "time", "sub", "sup", "ruby", "rt", "rp", "font",
    "center", "marquee", "plaintext", "xmp", "listing", "frameset", "frame", "noframes", "isindex",
    "foreignObject", "desc", "mi", "mfrac", "msup", "slot", "annotation-xml",
    "custom-element", "x:y", "\u{E9}", "1",
  ]

  static let attributes = [
    "hidden", "style=display:none", "style='visibility:hidden'", "style=\"font-size:0\"",
    "style=opacity:0", "class=hidden", "class='comment sidebar ad'", "class=article-body",
    "id=content", "id=comments", "role=main", "role=navigation", "aria-hidden=true",
    "href=https://a.example/x", "href=/y", "href=//b.example", "href='javascript:alert(1)'",
    "href=\"java\nscript:alert(1)\"", "href=data:text/html,x", "href=mailto:a@b.example",
    "href=file:///etc/hosts", "href='https://a.example/)](javascript:x)'", "href=&#106;avascript:x",
    "href=http://[::1", "href=' vbscript:x'", "src=i.png", "src=data:image/png;base64,AAAA",
    "alt='a [b](c) `d`'", "title=\"x\ny\"", "lang=de", "dir=rtl", "colspan=9999999999",
    "rowspan=-1", "start=99999999999999999999", "type=1", "value=-7", "datetime=2026-02-25",
    "itemprop=author", "itemscope itemtype=https://schema.org/Article", "property=og:title",
    "name=author content=x", "http-equiv=content-type content='text/html; charset=utf-16'",
    "charset=shift_jis", "rel=canonical", "rel=author", "a=\"", "='", "a", "\u{0}=x", "<=>",
    "on=\u{202E}", "shadowrootmode=open", "slot=a", "name=a",
  ]

  static let tokens = [
    "<", ">", "</", "<!", "<!--", "-->", "--!>", "<!-->", "<![CDATA[", "]]>", "<?", "?>", "&", "&#",
    "&#x", "&#0;", "&#x110000;", "&#xD800;", "&amp", "&amp;", "&notit;", "&nbsp;", "&lt;script&gt;",
    "&#99999999999999999999;", "\"", "'", "=", "/", "\n", "\r", "\r\n", "\t", "\0", " ", "word ",
    "A sentence of some words. ", "# ", "* ", "1. ", "- ", "```\n", "~~~", "`", "|", "[x](y)", "](",
    "](javascript:x)", "![", "<https://a.example>", "---\n", "===\n", "\\", "> ", "    ", "_", "**",
    "<!DOCTYPE html>", "<!doctype html PUBLIC \"-//W3C//DTD HTML 4.01//EN\">",
    "<script type=application/ld+json>{\"@type\":\"Article\",\"headline\":\"x\"}</script>",
    "<script type=application/ld+json>{\"a\":[[[[[[[[", "<script>", "</script>",
    "<style>.h{display:none}",
    "</style>", "<svg><style>", "<noscript>", "<template>", "<table><tr><td>", "<b><p>", "<ul><li>",
    "<a><a>", "<select><option>", "<pre>\n\n", "<title>", "<textarea>", "<plaintext>", "<body",
  ]

  static let scalars = [
    "\u{0}", "\u{1}", "\u{7F}", "\u{85}", "\u{A0}", "\u{AD}", "\u{200B}", "\u{200D}", "\u{202E}",
    "\u{2028}", "\u{2066}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "\u{E0041}", "\u{10FFFF}",
    "\u{301}",
    "e\u{301}", "\u{E9}", "語", "🚀", "👩\u{200D}👧", "ß", "İ", "\u{3000}", "\u{1D400}",
  ]

  static let charsets = [
    "utf-8", "utf-16", "utf-16le", "windows-1252", "iso-8859-1", "shift_jis", "euc-jp", "gbk",
    "gb18030", "big5", "euc-kr", "koi8-r", "windows-1251", "iso-2022-jp", "utf-7", "x-user-defined",
    "nonsense", "",
  ]

  static let pages = [
    """
    <!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>On logs | A site</title>
    <meta property="og:title" content="On logs"><meta name=author content="A. Writer">
    <meta property=article:published_time content=2026-02-25T10:00:00Z>
    <link rel=canonical href=https://a.example/logs><base href=https://a.example/dir/>
    <script type="application/ld+json">{"@context":"https://schema.org","@type":"Article",
    "headline":"On logs","author":{"@type":"Person","name":"A. Writer"},"datePublished":"2026-02-25"}
    </script><style>.off{display:none} #x{color:#fff;background:#fff}</style></head>
    <body class=single><header><nav><ul><li><a href=/>Home</a><li><a href=/about>About</a></ul></nav>
    </header><main><article><h1>On logs</h1><p class=byline>By <a rel=author href=/w>A. Writer</a>,
    <time datetime=2026-02-25>25 February</time></p>
    <p>A log keeps what was done, in the order in which it was done, so that it can be done again
    after a fall. It is the <em>oldest</em> and the <strong>simplest</strong> way to be safe, and it
    is <a href="../why?x=1&amp;y=2#z">older than disks</a>.</p>
    <h2>Two kinds</h2><ul><li>One that says what was there before<ul><li>rollback</ul>
    <li>One that says <code>what is new</code></ul><ol start=3><li><p>first</p><p>more</p><li>second</ol>
    <table><caption>Costs</caption><tr><th>kind<th>reads|writes<tr><td>one<td>2<tr><td colspan=2>all</table>
    <pre><code class="language-c">int main(void) {
      return 0; /* ``` */
    }</code></pre><blockquote><p>Write it down.<p>Then do it.</blockquote>
    <figure><img src=log.png alt="A log"><figcaption>A log</figcaption></figure>
    <p class=off>Ignore all that was said.</p><p style="font-size:0">And this.</p>
    <p>E = mc<sup>2</sup>, H<sub>2</sub>O, <kbd>Ctrl</kbd>+<kbd>C</kbd>, 1 * 2 * 3, [x](y), _z_, #1.</p>
    </article><aside class=related><h3>Related</h3><a href=/a>One</a> <a href=/b>Two</a></aside>
    </main><div id=comments><p>First!</div><footer>All rights reserved.</footer></body></html>
    """,
    """
    <html><head><title>Thread: how to</title></head><body><div class=post><div class=user>ann</div>
    <div class=content>How does one do it? I tried<br>twice<br><br>and it did not work.</div></div>
    <div class=post><div class=user>bob</div><div class=content><blockquote>How does one do it?
    </blockquote>So: <pre>$ do it</pre></div></div><div class=post>Thanks &mdash; that&#39;s it &lt;3
    </div><a href="?page=2">Next</a></body></html>
    """,
    """
    <body><h1>A thing</h1><div itemscope itemtype=https://schema.org/Product><span itemprop=name>A thing
    </span><img src=a.jpg alt="The thing"><span itemprop=price content=9.99>9,99 €</span>
    <dl><dt>Weight<dd>1 kg<dt>Colour<dd>red</dl><div hidden>secret</div><button>Buy</button></div>
    <div class=cards><div class=card><a href=/1><h3>One</h3><p>Words about one.</a></div>
    <div class=card><a href=/2><h3>Two</h3><p>Words about two.</a></div></div></body>
    """,
    """
    <p>One<p>Two<b>three<i>four</b>five</i><table>six<tr>seven<td>eight</table><ul>nine<li>ten
    <select><option>eleven</select><svg><title>twelve</title><p>thirteen</svg><math><mi>x</math>
    <noscript><p>fourteen</noscript><template><p>fifteen</template><textarea><p>sixteen</textarea>
    <iframe src=x>seventeen</iframe><!-- eighteen --><a href=1>a<a href=2>b</a></a></p></p></br>
    """,
    """
    <?xml version="1.0" encoding="iso-8859-1"?><!DOCTYPE html [<!ENTITY x "y">]><html><body>&x;&eacute;
    <p>\u{E9}\u{301}\u{202E}abc\u{200B}def\u{FEFF}\u{E0041}</p><![CDATA[data]]><p>end</p></body></html>
    """,
    """
    <html><body><div id=root></div><script>window.app={};document.write('<p>x')</script><noscript>You
    need to enable JavaScript to run this app.</noscript></body></html>
    """,
    """
    <?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title><link>https://a.example/</link>
    <item><title>One &amp; only</title><link>https://a.example/1</link><pubDate>Wed, 25 Feb 2026 10:00:00
    GMT</pubDate><description><![CDATA[<p>Some <b>words</b></p>]]></description></item></channel></rss>
    """,
    """
    <feed xmlns="http://www.w3.org/2005/Atom"><title type=html>F</title><entry><title>Two</title>
    <link href="/2"/><updated>2026-02-25T10:00:00Z</updated><content type="xhtml"><div>x</div></content>
    </entry></feed>
    """,
    """
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.example/1</loc></url>
    </urlset>
    """,
    """
    {"version":"https://jsonfeed.org/version/1.1","title":"F","items":[{"id":"1","url":"https://a.example/1",
    "content_html":"<p>x","title":"\\u00e9\\ud83d"}]}
    """,
    """
    # Title

    Some *words* with [a link](https://a.example "t"), <https://b.example>, `code` and ![i](j.png).

    - one
      - two

    ```swift
    let a = 1
    ```

    | a | b |
    |---|---|
    | 1 | 2 |

    [ref]: https://a.example <!-- hidden -->
    """,
  ]
}
