import Core
import Exporting
import Foundation
import TestSupport
import Testing

@Suite struct `Ten thousand names` {
  private static let pieces = [
    "..", "/", "\\", "\0", "\u{1}", "\u{1B}", "\n", ".", "-", " ", "CON", "nul", "aux.txt", "COM1",
    "lpt¹", "\u{E9}", "e\u{301}", "É", "ß", "SS", "ss", "\u{202E}", "\u{200B}", "\u{FEFF}", "🚀",
    "👨‍👩‍👧", "語", "\u{FFFD}", "~", "$HOME", "%2e%2e", "con.", "..\\..", "\u{115F}", "\u{3164}",
    "\u{301}", "İ", "ı", "ﬁ", "fi", "A", "a", "ǅ", "\u{212B}", "\u{C5}", "../", "a",
    String(repeating: "a", count: 300), String(repeating: "é", count: 150),
  ]

  private func records(_ count: Int) -> [Artifact] {
    var random = SeededRandom(seed: 3)
    func text() -> String {
      (0..<Int.random(in: 0...4, using: &random))
        .compactMap { _ in Self.pieces.randomElement(using: &random) }.joined()
    }
    return (0..<count).map { index in
      artifact(
        id: "id-\(index)", project: text(), role: Role(rawValue: text()), title: text(),
        content: "\(index)")
    }
  }

  /// What a file system that folds case and composes takes the path for.
  private func folded(_ path: String) -> String {
    path.decomposedStringWithCanonicalMapping.uppercased().lowercased()
      .precomposedStringWithCanonicalMapping
  }

  @Test(arguments: [nil, "{project}/{title}"])
  func `None leaves the folder and none is another's on any file system`(
    template: String?
  ) throws {
    var exporter = MarkdownExporter(
      base: "b", template: try template.map { try PathTemplate($0) }, isDryRun: true)
    let paths = try records(10_000).map { try exporter.export($0).path }
    let wrong = paths.filter { path in
      let parts = path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
      let isSafe = parts.allSatisfy { part in
        !part.isEmpty && part.first != UInt8(ascii: ".") && part.count <= 200
          && part.allSatisfy { $0 >= 0x20 && $0 != 0x5C }
      }
      return !isSafe || !path.hasPrefix("b/")
    }
    #expect(wrong == [])
    #expect(Set(paths.map(folded)).count == paths.count)
  }

  @Test func `A dry run tells what a run does, and a second run does nothing`() throws {
    let scratch = try Scratch()
    let records = records(200)
    var dry = MarkdownExporter(base: scratch.base, isDryRun: true)
    let planned = try records.map { try dry.export($0) }
    #expect(!FileManager.default.fileExists(atPath: scratch.base))
    var first = MarkdownExporter(base: scratch.base)
    #expect(try records.map { try first.export($0) } == planned)
    #expect(Set(planned.map(\.path)).count == records.count)
    #expect(scratch.files().count == records.count)
    let before = try scratch.instants()
    for order in [records, records.reversed()] {
      var again = MarkdownExporter(base: scratch.base)
      #expect(try order.allSatisfy { try again.export($0).status == .unchanged })
    }
    #expect(try scratch.instants() == before)
  }

  @Test func `A name that only looks different is taken`() throws {
    let scratch = try Scratch()
    var exporter = MarkdownExporter(base: scratch.base, template: try PathTemplate("{title}"))
    let names = try ["caf\u{E9}", "cafe\u{301}", "CAFÉ", "Straße", "STRASSE", "straße"].enumerated()
      .map { try exporter.export(artifact(id: "\($0)", title: $1)).path }
    #expect(names[0].hasSuffix("/café.md") && names[3].hasSuffix("/Straße.md"))
    for name in [1, 2, 4, 5].map({ names[$0] }) {
      #expect(name.wholeMatch(of: #/.*-[0-9a-f]{8}\.md/#) != nil)
    }
    #expect(scratch.files().count == 6)
  }

  @Test func `A project that only looks different shares the folder`() throws {
    let scratch = try Scratch()
    let first = try scratch.export(artifact(id: "a", project: "Caf\u{E9}"))
    let second = try scratch.export(artifact(id: "b", project: "CAFE\u{301}"))
    #expect(first.path.hasPrefix(scratch.base + "/Café/"))
    #expect(second.path.hasPrefix(scratch.base + "/Café/"))
    #expect(first.path != second.path)
  }

  @Test func `A file of another program whose name only looks different is left alone`() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("")
    try "mine".write(toFile: scratch.base + "/NOTES.md", atomically: false, encoding: .utf8)
    var exporter = MarkdownExporter(base: scratch.base, template: try PathTemplate("{title}"))
    let path = try exporter.export(artifact(id: "id-1", title: "Notes")).path
    #expect(path == scratch.base + "/Notes-eb66c623.md")
    #expect(try scratch.text(scratch.base + "/NOTES.md") == "mine")
  }
}
