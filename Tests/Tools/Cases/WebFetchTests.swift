import Foundation
import Testing

@Suite("web-fetch")
struct WebFetchTests {
  @Test func `a refused page of a list is named, and the option that would allow it`() async throws
  {
    try await Scratch.with { scratch in
      let pages = try await scratch.servePages()
      let url = pages.url("/page/1")
      for line in ["web-fetch \(url)", "echo \(url) | web-fetch"] {
        let run = try await scratch.shell(line)
        #expect(run.errors.contains("'\(url)' is not fetched: its address "))
        #expect(run.errors.contains(" is loopback; use --allow-private to allow it"))
        #expect(!(run.output + run.errors).contains("robots.txt"))
      }
      for (code, status) in [(404, 66), (410, 66), (403, 77), (451, 77), (500, 69)]
        as [(Int, Int32)]
      {
        let run = try await scratch.shell(
          "web-fetch --allow-private --retries 0 \(pages.url("/status/\(code)"))")
        #expect(run.statuses == [status])
      }
    }
  }

  @Test func `on a terminal the progress goes before each page is written`() async throws {
    try await Scratch.with { scratch in
      let pages = try await scratch.servePages()
      let urls = "\(pages.url("/page/1")) \(pages.url("/page/2"))"
      let terminal = try Terminal(scratch, "TERM=xterm web-fetch --json --allow-private \(urls)")
      let run = await terminal.running.ended()
      #expect(run.output.ranges(of: " pages/s").count == 2)
      let records = run.output.components(separatedBy: "\r").filter { $0.hasPrefix("{") }
      #expect(records.count == 2)
    }
  }

  @Test func `a document on stdin is read whole, however long it is`() async throws {
    try await Scratch.with { scratch in
      let line = "<p>The write-ahead log appends changes to a separate file, and readers go on."
      try await scratch.shell(
        "printf '<p>Hi <b>you</b>' | web-fetch --html - | jq -c '[.path, .markdown]'")
      try await scratch.shell("printf '<p>Hi <b>you</b>' | web-fetch --html | jq -c .contentType")
      let run = try await scratch.shell(
        "(yes '\(line)' | head -c 21000000; echo '<p>Here it ends.') | web-fetch --html --select 'p:last-child' | jq -c '[.text, .partial, .bytes > 21000000]'"
      )
      #expect(run.output == "[\"Here it ends.\",false,true]\n")
      try await scratch.shell("web-fetch --html https://example.org/")
      try scratch.expectGolden("web-fetch/html")
    }
  }

  @Test func `operands, URL lines and url records give the same page`() async throws {
    try await Scratch.with { scratch in
      let url = try await scratch.servePages().url("/page/1")
      try await scratch.shell("web-fetch --allow-private \(url)")
      try await scratch.shell("web-fetch --allow-private", input: "\u{FEFF}\n  \(url)  \r\n")
      try await scratch.shell("web-fetch --allow-private -", input: url)
      try await scratch.shell(
        "web-fetch --allow-private",
        input: #"{"labels":{"team":"blue"},"type":"url","url":"\#(url)"}"#)
      try scratch.expectGolden("web-fetch/inputs")
    }
  }

  @Test func `other records pass byte for byte`() async throws {
    try await Scratch.with { scratch in
      let url = try await scratch.servePages().url("/page/1")
      let strange = #"{"type":"strange" , "b":1.0,"a":"A\/" }"#
      let input = [strange, #"{"type":"url","url":"\#(url)"}"#, strange].joined(separator: "\n")
      let run = try await scratch.shell("web-fetch --allow-private", input: input)
      let lines = run.output.split(separator: "\n").map(String.init)
      #expect(lines.filter { $0 == strange }.count == 2)
      #expect(lines.count == 3)
      #expect(run.statuses == [0])
    }
  }

  @Test func `what is refused is an error in the place of the page`() async throws {
    try await Scratch.with { scratch in
      let pages = try await scratch.servePages()
      for url in [
        pages.url("/page/1"), "http://169.254.169.254/latest/meta-data/", "http://[::1]:1/",
        "http://10.1.2.3/", "file:///etc/passwd", "ftp://127.0.0.1/x", "http://", "http://a b/",
        "http://127.0.0.1:22/",
      ] {
        try await scratch.shell("web-fetch '\(url)'")
      }
      try await scratch.shell("web-fetch --allow-private http://169.254.169.254/latest/")
      #expect(pages.requests.isEmpty)
      try scratch.expectGolden("web-fetch/refused")
    }
  }

  @Test func `statuses, types, redirects and cut bodies are told`() async throws {
    try await Scratch.with { scratch in
      // Whether the machine has one of its own must not matter.
      try scratch.write("bin/pdftotext", "#!/bin/sh\nexit 1\n", executable: true)
      let pages = try await scratch.servePages()
      for path in [
        "/status/404", "/status/500", "/redirects/3", "/redirects/11", "/loop",
        "/redirect?to=file:///etc/passwd", "/redirect", "/type/application/pdf",
        "/type/text/plain", "/cut", "/charset/windows-1251", "/encoding/gzip?how=corrupt",
      ] {
        try await scratch.shell("web-fetch --allow-private '\(pages.url(path))'")
      }
      try scratch.expectGolden("web-fetch/answers")
    }
  }

  @Test func `a page that does not end is given up`() async throws {
    try await Scratch.with { scratch in
      let pages = try await scratch.servePages()
      try await scratch.shell("web-fetch --allow-private --timeout 10s '\(pages.url("/stall"))'")
      try scratch.expectGolden("web-fetch/timeout")
    }
  }

  @Test func `files are read, and what is no file is told`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "work/a.html", "<title>A</title><p>The letter <b>a</b>.<p>" + "word ".repeated(30))
      try scratch.write("work/b.txt", "Plain text.\n")
      try await scratch.shell("web-fetch a.html b.txt no-such.html /dev/null . ")
      try await scratch.shell(
        "web-fetch --max-characters 10 a.html | jq '{text, characters, totalCharacters, truncated}'"
      )
      try await scratch.shell("web-fetch --max-characters 0 a.html | jq '{characters, truncated}'")
      try await scratch.shell("web-fetch --text a.html")
      try scratch.expectGolden("web-fetch/files")
    }
  }

  @Test func `as text, a page that is cut is told, with the option for the rest`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/a.html", "<title>A</title><p>" + "word ".repeated(30))
      let whole = try await scratch.shell("web-fetch --text a.html")
      #expect(whole.errors == "")
      let record = try await scratch.shell("web-fetch --max-characters 9 a.html | jq .truncated")
      #expect(record.output == "true\n" && record.errors == "")
      for (option, end) in [("", 9), ("--offset 10", 19)] {
        let cut = try await scratch.shell("web-fetch --text --max-characters 9 \(option) a.html")
        #expect(cut.statuses == [0])
        #expect(
          cut.errors == """
            web-fetch: 'a.html' was cut at \(end) of 149 characters: use --max-characters 0 for \
            all, or --offset \(end) for the next part

            """)
      }
      let last = try await scratch.shell("web-fetch --text --offset 145 a.html")
      #expect(last.errors == "")
    }
  }

  @Test func `lists of files are read, on lines or between NULs`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/a.html", "<title>A</title><p>The letter <b>a</b>.")
      try scratch.write("work/b c.md", "# B\n\n**Bold** <!-- x -->")
      try scratch.write("work/list", "a.html\n\nb c.md\nno-such\n")
      try await scratch.shell("web-fetch --files list | jq -c '[.path, .text, .code]'")
      try await scratch.shell(
        "web-fetch --files - a.html | jq -c '[.path, .markdown]'", input: "b c.md\n")
      try await scratch.shell(
        "printf 'b c.md\\0a.html' | web-fetch -0 --files - | jq -c '[.path, .title]'")
      try await scratch.shell("web-fetch --files no-such-list")
      try await scratch.shell("web-fetch --files - -")
      try scratch.expectGolden("web-fetch/lists")
    }
  }

  @Test func `what of a page is kept`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "work/a.html",
        """
        <nav>Menu</nav><main><h1>Title</h1><p>One <a href=https://a.example/>link</a>.</p>
        <p class=note>Two.</p><p style="display:none">Three.</p></main>
        """)
      for options in [
        "", "--format text", "--format markdown", "--select '.note, h1'", "--select ol", "--whole",
        "--show-hidden", "--max-characters 8", "--max-characters 8 --offset 5",
        "--offset 1000",
      ] {
        try await scratch.shell(
          "web-fetch \(options) a.html"
            + " | jq -c '[.text, .markdown, .characters, .truncated, .hidden, .emptyReason]'")
      }
      for options in [
        "--format html", "--select 'p:hover'", "--select p --whole", "--offset -1", "--null",
      ] {
        try await scratch.shell("web-fetch \(options) a.html")
      }
      try scratch.expectGolden("web-fetch/reading")
    }
  }

  @Test func `feeds and sitemaps are expanded when that is asked for`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "work/feed.xml",
        """
        <rss><channel><title>News</title><item><title>One</title><link>https://a.example/1</link>
        <description>First &amp;lt;b&amp;gt;words&amp;lt;/b&amp;gt;</description></item>
        <item><link>https://a.example/2</link></item></channel></rss>
        """)
      try scratch.write("work/map.txt", "https://a.example/1\nhttps://a.example/2\n")
      try scratch.write("work/page.html", "<p>no feed")
      try await scratch.shell("web-fetch feed.xml | jq -c '[.pageType, .title, .text]'")
      try await scratch.shell("web-fetch --expand feed.xml map.txt")
      try await scratch.shell("web-fetch --expand page.html | jq -c '[.type, .text]'")
      try scratch.expectGolden("web-fetch/feeds")
    }
  }

  @Test func `PDF is read where pdftotext is, and refused where not`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/a.pdf", "%PDF-1.4\nnothing of a document")
      try await scratch.shell("PATH=/nowhere $(command -v web-fetch) a.pdf")
      try scratch.write(
        "bin/pdftotext", "#!/bin/sh\n/bin/cat >/dev/null\necho \"The text $*\"",
        executable: true)
      try await scratch.shell("web-fetch a.pdf | jq -c '[.contentType, .text]'")
      try scratch.expectGolden("web-fetch/pdf")
    }
  }

  @Test func `bad lines are told and the rest goes on`() async throws {
    try await Scratch.with { scratch in
      let url = try await scratch.servePages().url("/page/1")
      let input = [
        #"{"type":"url"}"#, "plain", #"{"type":"url","url":7}"#, #"{"type":"url","url":"\#(url)"}"#,
      ].joined(separator: "\n")
      try await scratch.shell(
        "web-fetch --allow-private | jq -c '[.type, .code, .input]'", input: input)
      try await scratch.shell("web-fetch --allow-private >/dev/null", input: input)
      try scratch.expectGolden("web-fetch/bad-lines")
    }
  }

  @Test func `wrong options, help and version`() async throws {
    try await Scratch.with { scratch in
      for options in [
        "--help", "--version", "--max-characters -1", "--max-characters x", "--parallel 0",
        "--timeout soon", "--bogus", "--parallel 1001", "--per-host 0", "--delay soon",
        "--retries 11", "--header secret", "--header 'Host: x'", "--user-agent $'a\\nb'",
        "--allow-host 'a b'", "--header @no-such-file",
      ] {
        try await scratch.shell("web-fetch \(options)")
      }
      try scratch.expectGolden("web-fetch/options")
    }
  }

  @Test func `many pages at once all arrive, each once`() async throws {
    try await Scratch.with { scratch in
      let pages = try await scratch.servePages()
      let input = (1...200).map { pages.url("/page/\($0)") }.joined(separator: "\n")
      let run = try await scratch.shell(
        "web-fetch --allow-private --parallel 8 --per-host 8 --delay 0", input: input)
      #expect(Set(run.records("page").map { $0["url"] }).count == 200)
      #expect(run.records.count == 200)
      #expect((pages.requests.compactMap { $0.number("inFlight") }.max() ?? 0) <= 8)
    }
  }
}

extension String {
  func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
