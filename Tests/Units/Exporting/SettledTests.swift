import Core
import Exporting
import Foundation
import Testing

@Suite struct `The note of a page that is fetched again` {
  private func page(_ text: String = "Logs", at instant: Timestamp = ten, bytes: Int = 10) -> Page {
    var page = Page(url: "https://example.com/a")
    page.title = "On logs"
    page.text = text
    (page.status, page.truncated, page.partial) = (200, false, false)
    (page.bytes, page.sha256) = (bytes, String(repeating: "\(bytes % 10)", count: 64))
    page.fetchedAt = instant
    return page
  }

  private let later = Timestamp(milliseconds: ten.milliseconds + 86_400_000)

  @Test(arguments: [NoteFields.usual, .all])
  func `Is unchanged although its time, size and digest are others`(fields: NoteFields) throws {
    let scratch = try Scratch()
    let first = try scratch.export(page(), fields: fields)
    #expect(first.status == .created)
    let text = try scratch.text(first.path)
    let again = try scratch.export(page(at: later, bytes: 11), fields: fields)
    #expect(again.status == .unchanged && again.path == first.path)
    #expect(again.sha256 == first.sha256 && again.bytes == first.bytes)
    #expect(try scratch.text(first.path) == text)
    var replacing = MarkdownExporter(base: scratch.base, replacesChanged: true, fields: fields)
    #expect(try replacing.export(page(at: later, bytes: 11)).status == .unchanged)
    let changed = try scratch.export(page("Journals", at: later), fields: fields)
    #expect(changed.status == .updated && changed.path == first.path)
    #expect(scratch.files().count == 1)
  }

  @Test func `Is unchanged if a person edited it, and replaced only on request`() throws {
    let scratch = try Scratch()
    let path = try scratch.export(page()).path
    try (try scratch.text(path) + "Mine.\n").write(
      toFile: path, atomically: true, encoding: .utf8)
    #expect(try scratch.export(page(at: later)).status == .unchanged)
    #expect(try scratch.text(path).hasSuffix("Mine.\n"))
    #expect(try scratch.export(page("Journals", at: later)).beside == path)
    var replacing = MarkdownExporter(base: scratch.base, replacesChanged: true)
    #expect(try replacing.export(page("Journals", at: later)).status == .updated)
  }

  @Test func `Is found again if an earlier version wrote its digest`() throws {
    let scratch = try Scratch()
    let path = try scratch.export(page(), fields: .all).path
    let plain = try scratch.plain(path)
    let digest = SHA256Digest.hexadecimal(Array(plain.utf8))
    let marks = plain.components(separatedBy: "---\n")
    let old =
      "---\n\(marks[1])exportDigest: sha256-\(digest)\n---\n"
      + marks.dropFirst(2).joined(separator: "---\n")
    try old.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try scratch.export(page(at: later, bytes: 12), fields: .all).status == .unchanged)
    #expect(try scratch.export(page("Journals", at: later), fields: .all).status == .updated)
  }

  @Test func `Occurs twice in one run`() throws {
    let scratch = try Scratch()
    for isDryRun in [true, false] {
      var exporter = MarkdownExporter(base: scratch.base, isDryRun: isDryRun)
      #expect(try exporter.export(page()).status == .created)
      #expect(try exporter.export(page(at: later, bytes: 12)).status == .unchanged)
    }
  }

  @Test func `Has few fields, or those that were chosen, in their order`() throws {
    let scratch = try Scratch()
    let path = try scratch.export(page()).path
    #expect(
      try scratch.plain(path) == """
        ---
        type: page
        url: "https://example.com/a"
        title: On logs
        fetchedAt: "2026-02-25T10:00:00.000Z"
        ---

        Logs

        """)
    var cut = page()
    cut.truncated = true
    #expect(try scratch.export(cut).status == .updated)
    #expect(try scratch.text(path).contains("\ntruncated: true\n"))
    let chosen = try NoteFields("status, url,title,author,partial,status")
    #expect(try scratch.export(page(), fields: chosen).status == .updated)
    #expect(
      try scratch.plain(path) == """
        ---
        type: page
        url: "https://example.com/a"
        status: 200
        title: On logs
        partial: false
        ---

        Logs

        """)
  }

  @Test func `Has a name for each fact of a page`() throws {
    let written = Set(NoteFields.names)
    let body = ["text", "markdown", "links"]
    for fact in PageFacts.CodingKeys.allCases.map(\.stringValue) where !body.contains(fact) {
      #expect(written.contains(fact))
    }
    #expect(try NoteFields("all") == .all)
    for wrong in ["", "titel", "title,", "title,,url", "all,title"] {
      let failure = #expect(throws: Failure.self) { try NoteFields(wrong) }
      #expect(failure?.code == .badUsage)
      #expect(failure?.explanation.hasPrefix("--fields '\(wrong)': unknown field '") == true)
    }
  }
}

@Suite struct `The name of a note` {
  private func name(_ title: String) throws -> String {
    var exporter = MarkdownExporter(
      base: "b", template: try PathTemplate("{title}"), isDryRun: true)
    return String(try exporter.export(artifact(title: title)).path.dropFirst(2).dropLast(3))
  }

  @Test(arguments: [
    ("C# in [brackets] ^1 a # b", "C in brackets 1 a b"), ("#^[]x", "x"),
    ("\u{1F469}\u{200D}\u{1F467}", "\u{1F469}\u{200D}\u{1F467}"),
    ("\u{0645}\u{06CC}\u{200C}\u{062E}", "\u{0645}\u{06CC}\u{200C}\u{062E}"),
    ("\u{2764}\u{FE0F}\u{200D}\u{1F525}", "\u{2764}\u{200D}\u{1F525}"),
    ("a\u{200D}b", "ab"), ("\u{200D}\u{1F469}", "\u{1F469}"),
    ("\u{1F469}\u{200D}", "\u{1F469}"),
    (
      "\u{1F469}\u{200D}\u{200D}\u{200D}\u{1F467}",
      "\u{1F469}\u{200D}\u{1F467}"
    ), ("\u{1F469}\u{200D} \u{1F467}", "\u{1F469} \u{1F467}"),
  ])
  func `Keeps joiners that join, and nothing that breaks a link`(
    title: String, expected: String
  ) throws {
    #expect(try Array(name(title).unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test func `Keeps a joiner between the letters of a project`() throws {
    let scratch = try Scratch()
    let word = "\u{0645}\u{06CC}\u{200C}\u{062E}"
    #expect(
      try scratch.export(artifact(project: word)).path.hasPrefix("\(scratch.base)/\(word)/"))
    #expect(
      try scratch.export(artifact(project: "\u{200C}\(word)\u{200C} x\u{200C}y")).path.hasPrefix(
        "\(scratch.base)/\(word)- x-y/"))
  }

  @Test func `Differs from another by more than a joiner`() throws {
    let scratch = try Scratch()
    let template = try PathTemplate("{title}")
    for title in ["\u{1F469}\u{200D}\u{1F467}", "\u{1F469}\u{1F467}"] {
      var exporter = MarkdownExporter(base: scratch.base, template: template)
      _ = try exporter.export(artifact(id: title, title: title))
    }
    let names = scratch.files()
    #expect(names.count == 2 && names.contains { $0.contains("-") })
  }
}
