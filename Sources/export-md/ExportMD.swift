import ArgumentParser
import Command
import Core
import Exporting

@main
struct ExportMD: Tool {
  static let configuration = toolConfiguration(
    "export-md", abstract: "Write records as Markdown files",
    discussion: """
      Examples:
        ceo-plan 'Compare …' | stage-run --yolo | export-md
        stage-run --show 01933b1c-… | export-md
        web-fetch < urls.txt | export-md --into clippings/ --template '{host}/{title}'
      """)

  @Option(
    help: ArgumentHelp("The target folder; ~/Documents/AgentOS by default.", valueName: "folder"),
    completion: .directory)
  var into: String?
  @Option(
    help: ArgumentHelp(
      "Path of each file, such as {project}/{role}-{date}.md.", valueName: "path"))
  var template: String?
  @Option(
    help: ArgumentHelp(
      "Front matter, such as title,author,fetchedAt; or all.", valueName: "names"))
  var fields: String?
  @Flag(help: "Show what would be written; write nothing.")
  var dryRun = false
  @Flag(help: "Overwrite files that were edited by hand.")
  var replace = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard into != "" else { throw ValidationError("--into needs a folder.") }
    do throws(Failure) {
      _ = try template.map(PathTemplate.init)
      _ = try fields.map(NoteFields.init)
    } catch {
      throw ValidationError(error.explanation)
    }
  }

  func run(_ session: Session) throws(Failure) {
    let files = MarkdownExporter(
      base: into ?? session.directories.documents,
      template: try template.map { text throws(Failure) in try PathTemplate(text) },
      isDryRun: dryRun, replacesChanged: replace,
      fields: try fields.map { text throws(Failure) in try NoteFields(text) } ?? .usual,
      interruption: session.interruption)
    var exporter = RecordExporter(files, notingPathsIn: dryRun ? nil : session.directories) {
      (record) throws(Failure) in
      try session.output.write(record)
    } passOn: { (record) throws(Failure) in
      try session.passOn(record)
    }
    var input = session.input()
    while let item = try input.next() {
      switch item {
      case .bad(let failure): session.fail(failure)
      case .record(let record):
        do throws(Failure) {
          try exporter.export(record)
        } catch {
          try session.goOn(after: error.at(record.source))
        }
      }
    }
    try exporter.finish { (failure) throws(Failure) in try session.goOn(after: failure) }
  }
}
