import Core
import Exporting
import Foundation
import Testing

@Suite struct `Two records for one name` {
  let first = artifact(id: "id-1", content: "one")
  let second = artifact(id: "id-2", content: "two")
  let plain = "WAL study/producer-2026-02-25T10-00-00Z.md"

  @Test func `The one that comes second gets a hash of its id`() throws {
    let scratch = try Scratch()
    #expect(try scratch.export(first).path == scratch.base + "/" + plain)
    #expect(
      try scratch.export(second).path
        == scratch.base + "/WAL study/producer-2026-02-25T10-00-00Z-d5d5b1c8.md")
    #expect(try scratch.text(scratch.base + "/" + plain).hasSuffix("\none\n"))
  }

  @Test(arguments: [false, true])
  func `Each keeps its file on a second run in either order`(isReversed: Bool) throws {
    let scratch = try Scratch()
    let paths = [
      "id-1": try scratch.export(first).path,
      "id-2": try scratch.export(second).path,
    ]
    for record in isReversed ? [second, first] : [first, second] {
      let again = try scratch.export(record)
      #expect(again.path == paths[record.id])
      #expect(again.status == .unchanged)
    }
    #expect(scratch.files().count == 2)
  }

  @Test func `The one with the hash keeps it when the other's file is gone`() throws {
    let scratch = try Scratch()
    _ = try scratch.export(first)
    let path = try scratch.export(second).path
    try FileManager.default.removeItem(atPath: scratch.base + "/" + plain)
    #expect(try scratch.export(second).path == path)
    #expect(try scratch.export(first).path == scratch.base + "/" + plain)
  }

  @Test(arguments: [
    "", "mine\n", "---\ntype: message\nid: id-1\n---\n", "---\nid: id-1\n---\n",
    // Front matter that has no end is none.
    "---\ntype: artifact\nid: id-1\n", "---\ntype: artifact\nid: id-1\n\n# My notes\n----\n",
    "---\ntype: artifact\nid: id-1", "---", "---\n", " ---\ntype: artifact\nid: id-1\n---\n",
  ])
  func `A file that does not say it holds the record is not overwritten`(text: String) throws {
    let scratch = try Scratch()
    try scratch.makeFolder("WAL study")
    try text.write(toFile: scratch.base + "/" + plain, atomically: false, encoding: .utf8)
    let record = try scratch.export(first)
    #expect(record.status == .created)
    #expect(record.path != scratch.base + "/" + plain)
    #expect(try scratch.text(scratch.base + "/" + plain) == text)
    #expect(try scratch.export(first).status == .unchanged)
  }

  @Test func `An id that begins with another's is another`() throws {
    let scratch = try Scratch()
    _ = try scratch.export(artifact(id: "id-1"))
    #expect(try scratch.export(artifact(id: "id-1\nx")).status == .created)
    #expect(try scratch.export(artifact(id: "id-")).status == .created)
    #expect(scratch.files().count == 3)
  }

  @Test func `When the hash is taken too the whole hash is used, then numbers, then nothing`()
    throws
  {
    let scratch = try Scratch()
    var taken: [String] = []
    for _ in 0..<100 {
      let path = try scratch.export(second).path
      try "mine".write(toFile: path, atomically: false, encoding: .utf8)
      taken.append(path)
    }
    #expect(Set(taken).count == 100)
    #expect(taken[1].hasSuffix("Z-d5d5b1c8.md") && taken[3].hasSuffix("Z-d5d5b1c8-2.md"))
    let failure = #expect(throws: Failure.self) { try scratch.export(second) }
    #expect(failure?.code == .storageFailed)
    #expect(failure?.input == scratch.base + "/" + plain)
  }

  @Test func `Messages without ids are told apart by their content`() throws {
    let scratch = try Scratch()
    for text in ["a", "b", "a", "b"] {
      _ = try scratch.export(Message(role: "user", text: text).with { $0.createdAt = ten })
    }
    #expect(scratch.files().count == 2)
  }

  @Test func `Exports at the same time lose nothing`() async throws {
    let scratch = try Scratch()
    let base = scratch.base
    let paths = try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<24 {
        group.addTask {
          var exporter = MarkdownExporter(base: base)
          return try exporter.export(artifact(id: "id-\(index)", content: "\(index)")).path
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(paths.count == 24)
    #expect(scratch.files().count == 24)
  }
}
