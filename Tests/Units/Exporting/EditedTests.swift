import Core
import Exporting
import Foundation
import TestSupport
import Testing

@Suite struct `A file that a person has changed` {
  private func export(
    _ scratch: Scratch, _ content: String, id: String = "id-1", replacing: Bool = false,
    isDryRun: Bool = false
  ) throws -> FileRecord {
    var exporter = MarkdownExporter(
      base: scratch.base, isDryRun: isDryRun, replacesChanged: replacing)
    return try exporter.export(artifact(id: id, content: content))
  }

  private func edit(_ scratch: Scratch, _ path: String, _ change: (String) -> String) throws
    -> String
  {
    let text = change(try scratch.text(path))
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return text
  }

  private static let edits: [@Sendable (String) -> String] = [
    { $0 + "\nMy notes.\n" }, { $0.replacingOccurrences(of: "one", with: "1") },
    { $0.replacingOccurrences(of: "\n", with: "\r\n") }, { String($0.dropLast()) },
    { $0.replacingOccurrences(of: "title: ", with: "tags: [a]\ntitle: ") },
    {
      $0.replacingOccurrences(of: "sha256-", with: "'sha256-").replacing(
        "\n---\n\n", with: "'\n---\n\n")
    },
    {
      $0.replacing(#/(type: artifact\n)(.*)(exportDigest: .*?\n)/#.dotMatchesNewlines()) {
        $0.1 + $0.3 + $0.2
      }
    },
  ]

  @Test(arguments: edits.indices)
  func `Stays as it is while the record is as it was, and what is told is the file`(
    edit index: Int
  ) throws {
    let scratch = try Scratch()
    let path = try export(scratch, "one").path
    let edited = try edit(scratch, path, Self.edits[index])
    for isDryRun in [true, false] {
      let record = try export(scratch, "one", isDryRun: isDryRun)
      #expect(record.status == .unchanged && record.path == path && record.beside == nil)
      #expect(record.bytes == edited.utf8.count)
      #expect(record.sha256 == SHA256Digest.hexadecimal(Array(edited.utf8)))
    }
    #expect(try scratch.text(path) == edited)
    #expect(scratch.files().count == 1)
  }

  @Test(arguments: edits.indices)
  func `Stays when the record changes, whose new text goes beside it`(edit index: Int) throws {
    let scratch = try Scratch()
    let path = try export(scratch, "one").path
    let edited = try edit(scratch, path, Self.edits[index])
    let beside = path.replacing(".md", with: "-eb66c623.md")
    for (content, status) in [
      ("two", FileStatus.created), ("two", .unchanged), ("three", .updated), ("three", .unchanged),
    ] {
      let planned = try export(scratch, content, isDryRun: true)
      let record = try export(scratch, content)
      #expect(record.status == status && record.path == beside && record.beside == path)
      #expect(record == planned)
      #expect(try scratch.text(path) == edited)
      #expect(try scratch.text(beside).hasSuffix("\n---\n\n\(content)\n"))
    }
    // And the first text again is in the first file still.
    #expect(try export(scratch, "one").path == path)
    #expect(scratch.files().count == 2)
  }

  @Test func `Each one of many stays, and another record's name is not taken`() throws {
    let scratch = try Scratch()
    var kept: [String: String] = [:]
    for round in 0..<6 {
      let path = try export(scratch, "\(round)").path
      #expect(kept[path] == nil)
      kept[path] = try edit(scratch, path) { $0 + "Mine, \(round).\n" }
      _ = try export(scratch, "other", id: "id-2")
    }
    #expect(kept.keys.contains { $0.hasSuffix("Z-eb66c623-2.md") })
    for (path, text) in kept { #expect(try scratch.text(path) == text) }
    #expect(scratch.files().count == 7)
  }

  @Test func `Is replaced when that is asked for, and a stranger's is not`() throws {
    let scratch = try Scratch()
    let path = try export(scratch, "one").path
    _ = try edit(scratch, path) { $0 + "Mine.\n" }
    let record = try export(scratch, "two", replacing: true)
    #expect(record.status == .updated && record.path == path && record.beside == nil)
    #expect(try scratch.text(path).hasSuffix("\ntwo\n"))
    _ = try edit(scratch, path) { $0 + "Mine.\n" }
    #expect(try export(scratch, "two", replacing: true).status == .updated)
    #expect(try export(scratch, "two", replacing: true).status == .unchanged)
    // Also when the text is in a file beside it already.
    _ = try edit(scratch, path) { $0 + "Mine.\n" }
    #expect(try export(scratch, "three").beside == path)
    let first = try export(scratch, "three", replacing: true)
    #expect(first.status == .updated && first.path == path && first.beside == nil)
    let strange = try edit(scratch, path) { "Mine.\n" + $0 }
    #expect(try export(scratch, "three", replacing: true).path != path)
    #expect(try scratch.text(path) == strange)
  }

  @Test func `Of before digests were kept stays unless it is what would be written`() throws {
    let scratch = try Scratch()
    let path = try export(scratch, "one").path
    let old = try scratch.plain(path)
    _ = try edit(scratch, path) { _ in old }
    #expect(try export(scratch, "one").status == .unchanged)
    #expect(try scratch.text(path) == old)
    let record = try export(scratch, "two")
    #expect(record.status == .created && record.beside == path)
    #expect(try scratch.text(path) == old)
    let edited = try edit(scratch, path) { _ in old + "Mine.\n" }
    let next = try export(scratch, "one")
    #expect(next.status == .updated && next.path == record.path && next.beside == path)
    #expect(try scratch.text(path) == edited)
  }

  @Test func `Holds a message without an id`() throws {
    let scratch = try Scratch()
    let message = Message(role: "user", text: "Hello").with { $0.createdAt = ten }
    let path = try scratch.export(message).path
    let edited = try edit(scratch, path) { $0 + "Mine.\n" }
    #expect(try scratch.export(message).status == .unchanged)
    #expect(
      try scratch.export(Message(role: "user", text: "Bye").with { $0.createdAt = ten }).path
        != path)
    #expect(try scratch.text(path) == edited)
  }

  @Test func `Is no place for other content in one run`() throws {
    let scratch = try Scratch()
    let path = try export(scratch, "one").path
    _ = try edit(scratch, path) { $0 + "Mine.\n" }
    for isDryRun in [true, false] {
      var exporter = MarkdownExporter(base: scratch.base, isDryRun: isDryRun)
      #expect(try exporter.export(artifact(id: "id-1", content: "one")).status == .unchanged)
      #expect(throws: Failure.self) {
        try exporter.export(artifact(id: "id-1", content: "two"))
      }
    }
    #expect(scratch.files().count == 1)
  }

  @Test func `Is told from one whose id only Unicode holds for equal`() throws {
    let scratch = try Scratch()
    let first = try export(scratch, "one", id: "caf\u{E9}")
    let second = try export(scratch, "two", id: "cafe\u{301}")
    #expect(second.status == .created && second.path != first.path)
    #expect(try export(scratch, "one", id: "caf\u{E9}").path == first.path)
    #expect(try export(scratch, "two", id: "cafe\u{301}").status == .unchanged)
  }

  /// Whatever people and records do, in any order.
  @Test func `Is never overwritten, in 200 random histories`() throws {
    for seed in 0..<200 {
      var random = SeededRandom(seed: UInt64(seed))
      let scratch = try Scratch()
      var edited: [String: String] = [:]
      for _ in 0..<12 {
        let files = scratch.files()
        if random.chance(3), let name = files.randomElement(using: &random) {
          let path = scratch.base + "/" + name
          let change = Self.edits[Int.random(in: 0..<Self.edits.count, using: &random)]
          let before = try scratch.text(path)
          let after = try edit(scratch, path, change)
          if after != before { edited[path] = after }
        } else if random.chance(8), let name = files.randomElement(using: &random) {
          try FileManager.default.removeItem(atPath: scratch.base + "/" + name)
          edited[scratch.base + "/" + name] = nil
        } else {
          let content = random.one(of: ["one", "two", "three"], else: "")
          let id = random.one(of: ["id-1", "id-2"], else: "")
          let planned = try export(scratch, content, id: id, isDryRun: true)
          let record = try export(scratch, content, id: id)
          #expect(record == planned, "seed \(seed)")
          #expect(try export(scratch, content, id: id).status == .unchanged, "seed \(seed)")
        }
        for (path, text) in edited {
          #expect(try scratch.text(path) == text, "seed \(seed)")
        }
      }
    }
  }
}
