import Core
import Exporting
import Foundation
import Testing

@Suite struct `A template for paths` {
  private func path(_ template: String, _ page: Page) throws -> String {
    var exporter = MarkdownExporter(
      base: "b", template: try PathTemplate(template), isDryRun: true)
    return try exporter.export(page).path
  }

  private func path(_ template: String, _ artifact: Artifact) throws -> String {
    var exporter = MarkdownExporter(
      base: "b", template: try PathTemplate(template), isDryRun: true)
    return try exporter.export(artifact).path
  }

  @Test(arguments: [
    ("{project}/{role}-{date}.md", "b/WAL study/producer-2026-02-25.md"),
    ("{title}", "b/Producer — WAL study.md"),
    ("{date}/{time}/{id}.markdown", "b/2026-02-25/10-00-00Z/id-1.markdown"),
    ("{instant} {type} {kind}.txt", "b/2026-02-25T10-00-00Z artifact text.txt"),
    ("a.b/x", "b/a.b/x.md"),
    ("{model}/{host}-{chat}.md", "b/no-model/no-host-no-chat.md"),
    ("v1.{id}", "b/v1.id-1.md"),
  ])
  func `Fields are replaced by what the record says`(template: String, path: String) throws {
    #expect(try self.path(template, artifact(id: "id-1")) == path)
  }

  @Test func `A page has a host, a site and an author`() throws {
    var page = Page(url: "https://a.example/x")
    page.project = "P"
    page.finalURL = "https://www.b.example:8080/y"
    page.title = "On: logs?"
    page.author = "Ada / Bob"
    page.pageType = "article"
    page.fetchedAt = ten
    #expect(
      try path("{host}/{site}/{author}/{kind} {title}", page)
        == "b/www.b.example/www.b.example/Ada - Bob/article On- logs.md")
    #expect(try path("{id}", page) == "b/39021306.md")
    var named = Page(url: "https://a.example/x")
    named.siteName = "The Site"
    named.fetchedAt = ten
    #expect(try path("{site}/{role}-{date}", named) == "b/The Site/page-2026-02-25.md")
  }

  @Test(arguments: [
    "..", "../..", "/etc/passwd", "a/../../b", "..\\..\\b", ".\u{200B}.", "\u{202E}..", ".. ", "\0",
    "~", "-rf", ".hidden", "a\nb", "con", "\u{FFFD}/\u{FFFD}", "", " ", "\u{3164}", "\u{301}",
  ])
  func `A value never parts the path and never leads out`(value: String) throws {
    for template in ["{title}/{title}", "x{title}/{title}y", "{title}{title}", "-{title}/{id}"] {
      let record = artifact(id: value, title: value)
      let parts = try path(template, record).split(
        separator: "/", omittingEmptySubsequences: false)
      #expect(parts.count == template.split(separator: "/").count + 1)
      for part in parts {
        #expect(!part.isEmpty && !part.hasPrefix(".") && !part.hasPrefix("-"))
        #expect(!part.hasSuffix(".") && !part.hasSuffix(" ") && part.utf8.count <= 200)
        #expect(!part.unicodeScalars.contains { $0.value < 0x20 || $0 == "\\" })
      }
    }
  }

  @Test func `A value that leaves nothing is told by the hash of the id`() throws {
    #expect(
      try path("{title}/{title}.md", artifact(id: "id-1", title: "...")) == "b/eb66c623/eb66c623.md"
    )
  }

  @Test func `A long value leaves room for what stands beside it`() throws {
    let title = String(repeating: "long ", count: 200)
    let path = try path("{title}-{instant}.md", artifact(title: title))
    #expect(path.hasSuffix("long-2026-02-25T10-00-00Z.md"))
    let alone = try self.path(
      "{title}.markdown", artifact(title: String(repeating: "é", count: 200)))
    #expect((190...202).contains(alone.utf8.count) && alone.hasSuffix("é.markdown"))
  }

  @Test(arguments: [
    ("", "it is empty"), ("/a", "a component is empty"), ("a//b", "a component is empty"),
    ("a/", "a component is empty"), ("../a", "'..' begins with a dot"),
    ("a/./b", "'.' begins with a dot"), ("a/.b", "'.b' begins with a dot"),
    ("{role", "a brace is unmatched"), ("role}", "a brace is unmatched"),
    ("a:b", "':' is not allowed in file names"),
    ("a\u{1B}b", "'<U+001B>' is not allowed in file names"),
    ("a\\b", "'\\' is not allowed in file names"),
  ])
  func `What is no path is wrong usage`(template: String, reason: String) throws {
    let failure = #expect(throws: Failure.self) { try PathTemplate(template) }
    #expect(failure?.code == .badUsage)
    #expect(failure?.explanation.hasSuffix("': " + reason) == true)
  }

  @Test func `An unknown field is wrong usage and the known ones are told`() throws {
    let failure = #expect(throws: Failure.self) { try PathTemplate("{projekt}/{title}") }
    #expect(
      failure?.explanation
        == "--template '{projekt}/{title}': unknown field 'projekt': expected one of project, role, "
        + "title, id, date, time, instant, kind, host, site, author, model, chat, type")
  }
}
