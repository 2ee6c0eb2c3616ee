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
        web-fetch < urls.txt | export-md --into clippings/ --template '{host}/{title}'
      """)

  @Option(
    help: ArgumentHelp("Write below this folder; ~/Documents/AgentOS.", valueName: "folder"))
  var into: String?
  @Option(
    help: ArgumentHelp(
      "Name each file so, such as {project}/{role}-{date}.md.", valueName: "path"))
  var template: String?
  @Flag(help: "Write nothing; tell what would be written.")
  var dryRun = false
  @Flag(help: "Overwrite the file of a record even if it was changed by hand.")
  var replace = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard into != "" else { throw ValidationError("--into needs a folder.") }
    do throws(Failure) {
      _ = try template.map(PathTemplate.init)
    } catch {
      throw ValidationError(error.explanation)
    }
  }

  func run(_ session: Session) throws(Failure) {
    var run = Run(
      session: session,
      exporter: MarkdownExporter(
        base: into ?? session.directories.documents,
        template: try template.map { text throws(Failure) in try PathTemplate(text) },
        isDryRun: dryRun, replacesChanged: replace, interruption: session.interruption),
      notesPaths: !dryRun)
    var input = session.input()
    while let item = try input.next() {
      switch item {
      case .bad(let failure): session.fail(failure)
      case .record(let record):
        try run.going(record.source) { run throws(Failure) in try run.take(record) }
      }
    }
    for item in run.gatherer.items {
      try run.going("") { run throws(Failure) in try run.export(item) }
    }
  }
}

/// One run of the tool: a record that is handled is replaced by its file, others are passed on.
private struct Run {
  let session: Session
  var exporter: MarkdownExporter
  /// Whether the path of an artifact's file is noted in the store.
  let notesPaths: Bool
  var gatherer = ConversationGatherer()
  /// Opened with the first artifact: most runs need none, and opening it takes longer than the rest.
  private var store: Store??

  init(session: Session, exporter: MarkdownExporter, notesPaths: Bool) {
    self.session = session
    self.exporter = exporter
    self.notesPaths = notesPaths
  }

  /// Reports a failure and goes on, unless the process is to end.
  mutating func going(
    _ source: String, _ work: (inout Run) throws(Failure) -> Void
  ) throws(Failure) {
    do throws(Failure) {
      try work(&self)
    } catch {
      guard error.code != .interrupted else { throw error }
      session.fail(source.isEmpty ? error : error.at(source))
    }
  }

  mutating func take(_ record: RawRecord) throws(Failure) {
    switch record.type {
    case Artifact.type:
      let artifact = try Artifact(record)
      let store = notesPaths ? try opened() : nil
      let file = try exporter.export(artifact)
      try store?.setFilePath(file.path, ofArtifact: artifact.id)
      try session.output.write(file)
    case Page.type: try session.output.write(try exporter.export(try Page(record)))
    case Chat.type: try gatherer.add(try Chat(record))
    case Message.type:
      let message = try Message(record)
      if try !gatherer.add(message) { try export(.message(message)) }
    default:
      if record.type == "project", let id = record.string("id"), let name = record.string("name") {
        gatherer.note(project: id, name: name)
      }
      try session.passOn(record)
    }
  }

  mutating func export(_ item: ConversationGatherer.Item) throws(Failure) {
    switch item {
    case .conversation(let conversation):
      try session.output.write(try exporter.export(conversation))
    case .message(let message): try session.output.write(try exporter.export(message))
    }
  }

  private mutating func opened() throws(Failure) -> Store? {
    if let store { return store }
    let opened = try Store(existingIn: session.directories)
    store = .some(opened)
    return opened
  }
}
