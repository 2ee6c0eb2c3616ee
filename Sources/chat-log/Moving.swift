import ArgumentParser
import Chats
import Command
import Core

struct ExportChats: Tool {
  static let configuration = verbConfiguration(
    "export", abstract: "Write chats as records that 'import' reads")

  @Argument(
    help: ArgumentHelp("The chats' ids; all chats by default.", valueName: "id"),
    completion: .chats(ChatTitles.ofChats))
  var ids: [String] = []
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    guard let chats = try session.chats() else {
      guard let id = ids.first else { return }
      _ = try session.chats(naming: id)
      return
    }
    let missing = try chats.export(ids) { (record) throws(Failure) in
      if session.interruption.signal != nil { throw session.interruption.failure }
      try session.output.write(record)
    }
    for failure in missing { session.fail(failure) }
  }
}

struct ImportChats: Tool {
  static let configuration = verbConfiguration(
    "import", abstract: "Import exported chats, skipping known messages")

  @Argument(help: "A file from 'export'; '-' or nothing reads stdin.", completion: .file())
  var file: String?
  @Option(
    help: ArgumentHelp("Import the logs.db of the program llm.", valueName: "file"),
    completion: .file())
  var fromLlm: String?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard file == nil || fromLlm == nil else {
      throw ValidationError("A file and --from-llm exclude each other.")
    }
  }

  func run(_ session: Session) throws(Failure) {
    var material = ChatMaterial()
    if let fromLlm {
      material = try LLMLog(fromLlm).material()
    } else {
      var input = try session.input(file)
      while let item = try input.next() {
        switch item {
        // Nothing has been changed yet, so the import can stop here.
        case .bad(let failure): throw failure
        case .record(let record):
          if try !material.add(record) { try session.passOn(record) }
        }
      }
    }
    try session.write(try session.newChats().merge(material))
  }
}
