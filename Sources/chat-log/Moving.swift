import ArgumentParser
import Chats
import CodingAgents
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

  @Argument(
    help: "A file from 'export', or an agent's folder; '-' or nothing reads stdin.",
    completion: .file())
  var file: String?
  @Option(
    help: ArgumentHelp("Import the logs.db of the program llm.", valueName: "file"),
    completion: .file())
  var fromLlm: String?
  @Flag(help: "Import sessions of Claude Code.")
  var fromClaude = false
  @Flag(help: "Import sessions of Codex.")
  var fromCodex = false
  @Flag(help: "Import sessions of OpenCode.")
  var fromOpencode = false
  @Flag(help: "Import sessions of Gemini CLI.")
  var fromGemini = false
  @OptionGroup var common: CommonOptions

  private var agents: [CodingAgent] {
    [
      fromClaude ? .claude : nil, fromCodex ? .codex : nil, fromOpencode ? .opencode : nil,
      fromGemini ? .gemini : nil,
    ].compactMap(\.self)
  }

  func validate() throws {
    guard file == nil || fromLlm == nil else {
      throw ValidationError("A file and --from-llm exclude each other.")
    }
    guard agents.isEmpty || fromLlm == nil else {
      throw ValidationError("--from-llm and --from-\(agents[0].rawValue) exclude each other.")
    }
    guard file == nil || agents.count < 2 else {
      throw ValidationError("A folder belongs to one agent: name only one.")
    }
  }

  func run(_ session: Session) throws(Failure) {
    guard agents.isEmpty else { return try importSessions(session) }
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

  private func importSessions(_ session: Session) throws(Failure) {
    var sessions = SessionImport(
      into: try session.newChats(),
      except: ImportedSources(session.directories, version: session.version),
      environment: session.environment, interruption: session.interruption)
    for agent in agents {
      do throws(Failure) {
        try sessions.run(agent, at: file, reporting: session.report) { (failure) throws(Failure) in
          try session.goOn(after: failure)
        }
      } catch {
        // The sessions of the other agents may be there.
        guard error.code == .notFound else { throw error }
        session.fail(error)
      }
    }
    try session.write(sessions.changedChats)
  }
}
