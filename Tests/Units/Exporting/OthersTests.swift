import Core
import Exporting
import Foundation
import Testing

@Suite struct `What others leave in the folder` {
  private let stray = ".export-md-0123456789abcdef.tmp"
  private let name = "producer-2026-02-25T10-00-00Z.md"

  @Test func `A file that a killed run left is removed, also when nothing has changed`() throws {
    let scratch = try Scratch()
    _ = try scratch.export(artifact())
    for _ in 0..<2 {
      try "half".write(
        toFile: scratch.base + "/WAL study/" + stray, atomically: false, encoding: .utf8)
      #expect(try scratch.export(artifact()).status == .unchanged)
      #expect(scratch.files() == ["WAL study/" + name])
    }
  }

  @Test func `What is only called alike stays`() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("WAL study/.export-md-ffffffffffffffff.tmp")
    try scratch.link("WAL study/.export-md-eeeeeeeeeeeeeeee.tmp", to: scratch.path)
    let names = [
      ".export-md-0123456789abcdef.tmp.md", ".export-md-.tmp", ".export-md-0123456789ABCDEF.tmp",
      ".export-md-0123456789abcdeff.tmp", "export-md-0123456789abcdef.tmp", ".x.tmp",
    ]
    for name in names {
      try "mine".write(
        toFile: scratch.base + "/WAL study/" + name, atomically: false, encoding: .utf8)
    }
    _ = try scratch.export(artifact())
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: scratch.base + "/WAL study"))
        == Set(
          names + [
            name, ".export-md-ffffffffffffffff.tmp", ".export-md-eeeeeeeeeeeeeeee.tmp",
          ]))
  }

  @Test func `What a run that goes on is writing stays, and its end is waited for`() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("WAL study")
    let live = scratch.base + "/WAL study/" + stray
    try "half".write(toFile: live, atomically: false, encoding: .utf8)
    let other = open(scratch.base + "/WAL study", O_RDONLY | O_DIRECTORY)
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    let interruption = Interruption()
    interruption.fire(signal: SIGINT)
    var exporter = MarkdownExporter(base: scratch.base, interruption: interruption)
    let failure = #expect(throws: Failure.self) { try exporter.export(artifact()) }
    #expect(failure?.code == .interrupted)
    #expect(try scratch.text(live) == "half")
    close(other)
    #expect(try exporter.export(artifact()).status == .created)
    #expect(scratch.files() == ["WAL study/" + name])
  }

  @Test(arguments: [0, 1, 2, 3])
  func `A link at any place of the path leads nowhere`(depth: Int) throws {
    let scratch = try Scratch()
    let outside = scratch.path + "/outside"
    try FileManager.default.createDirectory(
      atPath: outside + "/b/c", withIntermediateDirectories: true)
    let parts = ["a", "b", "c", "d.md"]
    let place = parts[..<depth].joined(separator: "/")
    try scratch.makeFolder(place)
    try scratch.link((place.isEmpty ? "" : place + "/") + parts[depth], to: outside)
    var exporter = MarkdownExporter(base: scratch.base, template: try PathTemplate("a/b/c/d"))
    let before = try FileManager.default.subpathsOfDirectory(atPath: outside).sorted()
    if depth == 3 {
      #expect(try exporter.export(artifact()).status == .created)
    } else {
      let failure = #expect(throws: Failure.self) { try exporter.export(artifact()) }
      #expect(failure?.explanation.hasSuffix("it is a symbolic link or not a folder") == true)
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: outside).sorted() == before)
  }

  @Test func `A folder that becomes a link while a run goes on is not followed`() throws {
    let scratch = try Scratch()
    var exporter = MarkdownExporter(base: scratch.base)
    _ = try exporter.export(artifact(id: "a"))
    let (folder, outside) = (scratch.base + "/WAL study", scratch.path + "/outside")
    try FileManager.default.moveItem(atPath: folder, toPath: outside)
    try scratch.link("WAL study", to: outside)
    #expect(throws: Failure.self) { try exporter.export(artifact(id: "b")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == [name])
  }

  @Test(arguments: [
    ("id: id-1", "id: 'id-1'"), ("id: id-1", "id: \"id-1\""),
    ("type: artifact", "tags: [a]\ntype: artifact"),
    ("\n", "\r\n"), ("---\n\n#", "aliases:\n  - x\n---\n\nMy own words.\n\n#"),
  ])
  func `A file whose front matter an editor wrote anew is still the record's, and stays`(
    old: String, new: String
  ) throws {
    let scratch = try Scratch()
    let path = try scratch.export(artifact(id: "id-1")).path
    let text = try scratch.text(path)
    #expect(text.contains(old))
    let edited = text.replacingOccurrences(of: old, with: new)
    try edited.write(toFile: path, atomically: false, encoding: .utf8)
    let record = try scratch.export(artifact(id: "id-1"))
    #expect(record.status == .unchanged && record.path == path)
    #expect(try scratch.text(path) == edited)
  }

  @Test(arguments: [
    "\"id-1\"", "#id-1", "id-1 ", "id-10", "id", "",
  ])
  func `An id that is spelled alike is another's`(id: String) throws {
    let scratch = try Scratch()
    let path = try scratch.export(artifact(id: "id-1")).path
    #expect(try scratch.export(artifact(id: id)).path != path)
    #expect(scratch.files().count == 2)
  }

  @Test func `An id with other content in one run is refused, in every run`() throws {
    let scratch = try Scratch()
    for round in 0..<2 {
      var exporter = MarkdownExporter(base: scratch.base)
      let status = try exporter.export(artifact(content: "one")).status
      #expect(status == (round == 0 ? .created : .unchanged))
      let failure = #expect(throws: Failure.self) {
        try exporter.export(artifact(content: "two"))
      }
      #expect(failure?.code == .badInput)
      #expect(try exporter.export(artifact(content: "one")).status == .unchanged)
    }
    var dry = MarkdownExporter(base: scratch.base, isDryRun: true)
    #expect(try dry.export(artifact(content: "two")).status == .updated)
    #expect(throws: Failure.self) { try dry.export(artifact(content: "three")) }
  }

  @Test func `Names of a folder that changes while a run goes on are seen`() throws {
    let scratch = try Scratch()
    var exporter = MarkdownExporter(base: scratch.base, template: try PathTemplate("{title}"))
    _ = try exporter.export(artifact(id: "a", title: "A"))
    try "mine".write(toFile: scratch.base + "/b.md", atomically: false, encoding: .utf8)
    let path = try exporter.export(artifact(id: "id-1", title: "B")).path
    #expect(path == scratch.base + "/B-eb66c623.md")
  }
}
