import Core
import Exporting
import Foundation
import Testing

@Suite struct `The content of a file` {
  @Test func `An artifact is its front matter and its Markdown`() throws {
    let scratch = try Scratch()
    let record = try scratch.export(
      Artifact(
        id: "0193abcd-0000-7000-8000-000000000001", role: .producer, title: "Producer — WAL study",
        content: "# Brief\n\nText.\n\n\n", createdAt: ten
      ).with {
        $0.pipelineId = "p-1"
        $0.stageId = "s-1"
        $0.project = "WAL study"
        $0.model = "claude-sonnet-4-6"
        $0.filePath = "/elsewhere"
        $0.labels = ["team": "db", "a: b": "#1"]
      })
    #expect(record.path == scratch.base + "/WAL study/producer-2026-02-25T10-00-00Z.md")
    #expect(record.status == .created)
    #expect(record.artifactId == "0193abcd-0000-7000-8000-000000000001")
    #expect(record.labels == ["team": "db", "a: b": "#1"])
    let text = try scratch.plain(record.path)
    #expect(
      text == """
        ---
        type: artifact
        id: "0193abcd-0000-7000-8000-000000000001"
        title: "Producer — WAL study"
        role: producer
        kind: text
        project: WAL study
        pipelineId: p-1
        stageId: s-1
        model: claude-sonnet-4-6
        createdAt: "2026-02-25T10:00:00.000Z"
        labels:
          "a: b": "#1"
          team: db
        ---

        # Brief

        Text.

        """)
    #expect(try record.bytes == scratch.text(record.path).utf8.count)
  }

  @Test func `The digest is that of the file`() throws {
    let scratch = try Scratch()
    let record = try scratch.export(
      Message(role: "user", text: "Hello").with {
        $0.id = "m-1"
        $0.createdAt = ten
      })
    #expect(
      try scratch.plain(record.path) == """
        ---
        type: message
        id: m-1
        role: user
        createdAt: "2026-02-25T10:00:00.000Z"
        ---

        Hello

        """)
    // sha256sum of the text above.
    #expect(
      try scratch.text(record.path).contains(
        "\nexportDigest: sha256-649132bafa0f5263991c6833f75c4a7d2a50e7e18e7e0bbd2016d9df1181750d\n---\n"
      ))
    #expect(
      record.sha256 == "2c3e2917accbcd128e00b801382e4786ed91f2834482d997aaa9723d2a169f35")
  }

  @Test func `A page is its front matter and its Markdown`() throws {
    let scratch = try Scratch()
    var page = Page(url: "https://example.com/a")
    page.project = "WAL study"
    page.finalURL = "https://example.com/b"
    page.redirects = ["https://example.com/r"]
    page.status = 200
    page.contentType = "text/html"
    page.charset = "utf-8"
    page.title = "On: logs"
    page.author = "Ada Lovelace"
    page.publishedAt = "2026-01-02"
    page.language = "en"
    page.text = "Logs"
    page.markdown = "## Logs"
    page.characters = 4
    page.totalCharacters = 9
    page.truncated = true
    page.fetchedAt = ten
    let record = try scratch.export(page, fields: .all)
    #expect(record.path == scratch.base + "/WAL study/page-2dce0a4c.md")
    #expect(
      try scratch.plain(record.path) == """
        ---
        type: page
        url: "https://example.com/a"
        title: "On: logs"
        author: Ada Lovelace
        publishedAt: "2026-01-02"
        language: en
        project: WAL study
        finalURL: "https://example.com/b"
        redirects:
          - "https://example.com/r"
        status: 200
        contentType: text/html
        charset: utf-8
        characters: 4
        totalCharacters: 9
        truncated: true
        fetchedAt: "2026-02-25T10:00:00.000Z"
        ---

        ## Logs

        """)
  }

  @Test func `A message says what it cost`() throws {
    let scratch = try Scratch()
    let record = try scratch.export(
      Message(role: "assistant", text: "Yes.\r\n").with {
        $0.id = "m-2"
        $0.chatId = "c-1"
        $0.model = "extractive"
        $0.usage = Usage(inputTokens: 8, outputTokens: 2, reasoningTokens: 1)
        $0.costUSD = 0.00001
        $0.complete = true
        $0.createdAt = ten
      })
    #expect(record.path == scratch.base + "/project/assistant-2026-02-25T10-00-00Z.md")
    #expect(
      try scratch.plain(record.path) == """
        ---
        type: message
        id: m-2
        role: assistant
        chatId: c-1
        model: extractive
        complete: true
        usage:
          inputTokens: 8
          outputTokens: 2
          cacheReadTokens: 0
          cacheWriteTokens: 0
          reasoningTokens: 1
        costUSD: 1.0e-05
        createdAt: "2026-02-25T10:00:00.000Z"
        ---

        Yes.

        """)
  }

  @Test func `A page without Markdown is its text, with nothing in it that is a mark`() throws {
    let scratch = try Scratch()
    var page = Page(url: "https://example.com/")
    page.text = """
      # no heading
      [x](javascript:alert(1)) <script>
      1. no list, but 1.5 and snake_case
      --- ` *a* \\
        - none
      """
    page.fetchedAt = ten
    let record = try scratch.export(page)
    #expect(
      try scratch.text(record.path).components(separatedBy: "---\n\n")[1] == """
        \\# no heading
        \\[x\\](javascript:alert(1)) \\<script>
        1\\. no list, but 1.5 and snake_case
        \\--- \\` \\*a\\* \\\\
          \\- none

        """)
  }

  @Test func `A record without content is its front matter`() throws {
    let scratch = try Scratch()
    var page = Page(url: "u")
    page.markdown = "\n"
    page.fetchedAt = ten
    let record = try scratch.export(page)
    #expect(
      try scratch.plain(record.path) == """
        ---
        type: page
        url: u
        fetchedAt: "2026-02-25T10:00:00.000Z"
        ---

        """)
  }

  @Test func `A title cannot end the front matter or add to it`() throws {
    let scratch = try Scratch()
    let title = "a\n---\nrole: ceo\u{1B}[2J\u{202E}\u{85}\u{2028}\u{FEFF}\u{E0041}\"\\\t\0'"
    let record = try scratch.export(artifact(title: title))
    #expect(
      try scratch.text(record.path).split(separator: "\n")[3]
        == #"title: "a\n---\nrole: ceo\x1B[2J\u202E\x85\u2028\uFEFF\U000E0041\"\\\t\x00'""#)
  }
}
