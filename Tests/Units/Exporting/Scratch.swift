import Core
import Exporting
import Foundation
import Testing

/// A folder of a test's own, removed with it.
final class Scratch {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "exporting-" + Identifier.make()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var base: String { path + "/base" }

  /// Each call is a run of its own.
  func export(_ artifact: Artifact) throws -> FileRecord {
    var exporter = MarkdownExporter(base: base)
    return try exporter.export(artifact)
  }

  func export(_ page: Page, fields: NoteFields = .usual) throws -> FileRecord {
    var exporter = MarkdownExporter(base: base, fields: fields)
    return try exporter.export(page)
  }

  func export(_ message: Message) throws -> FileRecord {
    var exporter = MarkdownExporter(base: base)
    return try exporter.export(message)
  }

  /// Every path below the folder but folders, sorted, relative to the base.
  func files() -> [String] {
    let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: base + "/" + name, isDirectory: &isFolder)
      return !exists || !isFolder.boolValue
    }.sorted()
  }

  /// When each file was changed last.
  func instants() throws -> [String: Date] {
    try Dictionary(
      uniqueKeysWithValues: files().map { name in
        let attributes = try FileManager.default.attributesOfItem(atPath: base + "/" + name)
        return (name, try #require(attributes[.modificationDate] as? Date))
      })
  }

  func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// The text of a file without the line that says what was written, which is there once.
  func plain(_ path: String) throws -> String {
    let text = try text(path)
    let line = #/exportDigest: sha256-[0-9a-f]{64}\n/#
    #expect(text.matches(of: line).count == 1)
    return text.replacing(line, with: "")
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: base + "/" + name, withIntermediateDirectories: true)
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: base + "/" + name, withDestinationPath: target)
  }
}

let ten = Timestamp(milliseconds: 1_772_013_600_000)

func artifact(
  id: String = "0193abcd-0000-7000-8000-000000000001", project: String? = "WAL study",
  role: Role = .producer, title: String = "Producer — WAL study", content: String = "# Brief\n",
  labels: [String: String]? = nil
) -> Artifact {
  Artifact(id: id, role: role, title: title, content: content, createdAt: ten).with {
    $0.project = project
    $0.labels = labels
  }
}
