import Core
import Exporting
import Foundation
import Testing

@Suite struct `Writing a file` {
  let name = "producer-2026-02-25T10-00-00Z.md"

  @Test func `Equal bytes leave the file untouched`() throws {
    let scratch = try Scratch()
    let path = try scratch.export(artifact()).path
    let long = Date(timeIntervalSince1970: 1_000_000)
    try FileManager.default.setAttributes([.modificationDate: long], ofItemAtPath: path)
    #expect(try scratch.export(artifact()).status == .unchanged)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.modificationDate] as? Date == long)
  }

  @Test func `Other content of the same record updates its file and keeps its mode`() throws {
    let scratch = try Scratch()
    let path = try scratch.export(artifact(content: "one")).path
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let record = try scratch.export(artifact(title: "Other", content: "two, and longer"))
    #expect(record.status == .updated)
    #expect(record.path == path)
    #expect(try scratch.text(path).hasSuffix("\n---\n\ntwo, and longer\n"))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(scratch.files() == ["WAL study/\(name)"])
  }

  @Test func `The base may be a symbolic link`() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/real", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.base, withDestinationPath: scratch.path + "/real")
    _ = try scratch.export(artifact())
    #expect(
      FileManager.default.fileExists(atPath: scratch.path + "/real/WAL study/\(name)"))
  }

  @Test func `A project's folder that is a symbolic link is refused`() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("")
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/outside", withIntermediateDirectories: false)
    try scratch.link("WAL study", to: scratch.path + "/outside")
    let failure = #expect(throws: Failure.self) { try scratch.export(artifact()) }
    #expect(failure?.code == .storageFailed)
    #expect(
      failure?.explanation
        == "cannot write '\(scratch.base)/WAL study': it is a symbolic link or not a folder")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/outside").isEmpty)
  }

  @Test(arguments: ["victim", "nowhere"])
  func `A symbolic link in the file's place is replaced, not followed`(target: String) throws {
    let scratch = try Scratch()
    try scratch.makeFolder("WAL study")
    let victim = scratch.path + "/victim"
    try "precious".write(toFile: victim, atomically: false, encoding: .utf8)
    try scratch.link("WAL study/\(name)", to: scratch.path + "/" + target)
    let record = try scratch.export(artifact())
    #expect(record.path == scratch.base + "/WAL study/\(name)")
    #expect(try scratch.text(victim) == "precious")
    let kind = try FileManager.default.attributesOfItem(atPath: record.path)[.type]
    #expect(kind as? FileAttributeType == .typeRegular)
    #expect(!FileManager.default.fileExists(atPath: scratch.path + "/nowhere"))
  }

  @Test func `A folder or a pipe in the file's place is left alone`() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("WAL study/\(name)")
    let path = try scratch.export(artifact()).path
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(try scratch.export(artifact()).path != path)
  }

  @Test func `A file in the folder's place is named`() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("")
    try "".write(toFile: scratch.base + "/WAL study", atomically: false, encoding: .utf8)
    let failure = #expect(throws: Failure.self) { try scratch.export(artifact()) }
    #expect(failure?.input == scratch.base + "/WAL study")
  }

  @Test(arguments: ["/dev/null/x", "/dev/null", "a\0b"])
  func `A base that cannot be is named`(base: String) throws {
    let failure = #expect(throws: Failure.self) {
      var exporter = MarkdownExporter(base: base)
      return try exporter.export(artifact())
    }
    #expect(failure?.code == .storageFailed)
    #expect(failure?.input?.hasPrefix(base.prefix(1)) == true)
  }

  /// A file system of about 1 MB; a limit on file sizes would end the whole process instead.
  static let smallDisk = ProcessInfo.processInfo.environment["AGENTPIPES_SMALL_DISK"]

  @Test(.enabled(if: smallDisk != nil, "AGENTPIPES_SMALL_DISK names no folder"))
  func `A full disk leaves nothing behind`() throws {
    let full = try #require(Self.smallDisk)
    var exporter = MarkdownExporter(base: full)
    let large = String(repeating: "x", count: 4 << 20)
    let before = try exporter.export(artifact(content: "small"))
    var later = MarkdownExporter(base: full)
    let failure = #expect(throws: Failure.self) { try later.export(artifact(content: large)) }
    #expect(failure?.code == .storageFailed)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: full + "/WAL study") == [name])
    #expect(try exporter.export(artifact(content: "small")).sha256 == before.sha256)
  }
}
