import Core
import Exporting
import Foundation
import TestSupport
import Testing

@Suite struct `The name of a file` {
  @Test(arguments: [
    ("WAL study", "WAL study"), ("a/b", "a-b"), ("../..", "project"), ("..", "project"),
    (".", "project"), ("", "project"), ("   ", "project"), ("/etc/passwd", "etc-passwd"),
    (".hidden", "hidden"), ("a\0b", "a-b"), ("\0", "project"), ("🚀", "project"),
    ("❤️", "project"), ("go 🚀 now", "go - now"), ("Ελλάδα_٣", "Ελλάδα_٣"), ("C:\\x", "C--x"),
    ("cafe\u{301}", "café"), ("\u{301}x", "x"), ("a\u{202E}b\u{200B}c", "a-b-c"),
    ("-- a --", "a"), ("CON", "CON_"), ("nul", "nul_"), ("com¹", "com¹_"), ("x ", "x"),
  ])
  func `A project's folder keeps letters, digits, dashes, underscores and spaces`(
    project: String, folder: String
  ) throws {
    let scratch = try Scratch()
    let record = try scratch.export(artifact(project: project))
    #expect(record.path == scratch.base + "/\(folder)/producer-2026-02-25T10-00-00Z.md")
    #expect(scratch.files() == ["\(folder)/producer-2026-02-25T10-00-00Z.md"])
  }

  @Test(arguments: ["a", "é", "語", "🄰x", "e\u{301}\u{302}"])
  func `A long project is cut at a character's boundary`(unit: String) throws {
    let scratch = try Scratch()
    let project = String(repeating: unit, count: 300)
    let record = try scratch.export(artifact(project: project))
    let folder = try #require(record.path.split(separator: "/").dropLast().last)
    #expect((180...200).contains(folder.utf8.count))
    #expect(
      project.precomposedStringWithCanonicalMapping.replacing("🄰", with: "-").contains(folder))
  }

  @Test func `A character that is longer than a name is cut`() throws {
    let scratch = try Scratch()
    let project = "a" + String(repeating: "\u{335}", count: 5000)
    let record = try scratch.export(artifact(project: project))
    let folder = try #require(record.path.split(separator: "/").dropLast().last)
    #expect(folder.utf8.count == 199)
  }

  @Test func `What is dropped before a name does not count`() throws {
    let scratch = try Scratch()
    let project =
      String(repeating: "/-\u{301}🚀", count: 100_000) + "a" + String(repeating: "/", count: 300)
    let record = try scratch.export(artifact(project: project))
    #expect(record.path == scratch.base + "/a/producer-2026-02-25T10-00-00Z.md")
  }

  @Test(arguments: [
    ("qaReviewer", "qaReviewer"), ("../x", "x"), ("", "unknown"), ("a/../b", "a----b"),
    (String(repeating: "r", count: 999), String(repeating: "r", count: 120)),
  ])
  func `A role is made safe as a project is`(role: String, name: String) throws {
    let scratch = try Scratch()
    let record = try scratch.export(artifact(role: Role(rawValue: role)))
    #expect(record.path == scratch.base + "/WAL study/\(name)-2026-02-25T10-00-00Z.md")
  }

  @Test func `A base with slashes at its end and folders still to be made is taken`() throws {
    let scratch = try Scratch()
    var exporter = MarkdownExporter(base: scratch.base + "/x/y//")
    let record = try exporter.export(artifact())
    #expect(record.path == scratch.base + "/x/y/WAL study/producer-2026-02-25T10-00-00Z.md")
  }

  @Test func `Two pages read in one second have two files`() throws {
    let scratch = try Scratch()
    var page = Page(url: "https://a.example/")
    page.fetchedAt = ten
    let first = try scratch.export(page)
    page.url = "https://b.example/"
    let second = try scratch.export(page)
    #expect(first.path != second.path)
    #expect(scratch.files().count == 2)
  }

  @Test func `A record without an instant has one name all the same`() throws {
    let scratch = try Scratch()
    let message = Message(role: "user", text: "Hello").with { $0.id = "m-1" }
    let first = try scratch.export(message)
    #expect(first.path == scratch.base + "/project/user-a461b472.md")
    #expect(try scratch.export(message).status == .unchanged)
  }

  @Test func `Random names stay in their folder`() throws {
    let scratch = try Scratch()
    var random = SeededRandom(seed: 7)
    for _ in 0..<200 {
      let record = try scratch.export(
        artifact(project: random.text(), role: Role(rawValue: random.text()), title: random.text()))
      let parts = record.path.dropFirst(scratch.base.count + 1).split(
        separator: "/", omittingEmptySubsequences: false)
      #expect(parts.count == 2 && !parts.contains("..") && record.path.hasPrefix(scratch.base))
      #expect(FileManager.default.fileExists(atPath: record.path))
    }
  }
}
