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
        stage-run --show 01933b1c-… | export-md
        web-fetch < urls.txt | export-md --into clippings/
      """)

  @Option(
    help: ArgumentHelp("Write below this folder; ~/Documents/AgentOS.", valueName: "folder"))
  var into: String?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard into != "" else { throw ValidationError("--into needs a folder.") }
  }

  func run(_ session: Session) throws(Failure) {
    let exporter = MarkdownExporter(base: into ?? session.directories.documents)
    let store = try Store(existingIn: session.directories)
    var input = session.input()
    while let item = try input.next() {
      switch item {
      case .bad(let failure): session.fail(failure)
      case .record(let record):
        do {
          try export(record, exporter, store, session)
        } catch {
          guard error.code != .interrupted else { throw error }
          session.fail(error.at(record.source))
        }
      }
    }
  }

  /// Replaces a record that is handled by its file; passes others on.
  private func export(
    _ record: RawRecord, _ exporter: MarkdownExporter, _ store: Store?, _ session: Session
  ) throws(Failure) {
    switch record.type {
    case Artifact.type:
      let artifact = try Artifact(record)
      let file = try exporter.export(artifact)
      try store?.setFilePath(file.path, ofArtifact: artifact.id)
      try session.output.write(file)
    case Page.type: try session.output.write(try exporter.export(try Page(record)))
    case Message.type: try session.output.write(try exporter.export(try Message(record)))
    default: try session.passOn(record)
    }
  }
}
