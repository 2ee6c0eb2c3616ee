import ArgumentParser
import Chats
import Command
import Core

/// Which chat a prompt belongs to.
struct PlaceOptions: ParsableArguments {
  @Flag(name: .customLong("continue"), help: "Go on with the last chat.")
  var continues = false
  @Option(
    help: ArgumentHelp("Go on with this chat.", valueName: "id"),
    completion: .chats(ChatTitles.ofChats))
  var chat: String?
  @Option(
    help: ArgumentHelp("A folder, or the name of a known project.", valueName: "project"),
    completion: .projects(ChatTitles.ofProjects))
  var project: String?

  func validate() throws {
    guard !(continues && chat != nil) else {
      throw ValidationError("--continue and --chat exclude each other.")
    }
    guard chat == nil || project == nil else {
      throw ValidationError("--chat and --project exclude each other: a chat has its project.")
    }
  }
}

/// What is asked of the models beside the prompt.
struct AskingOptions: ParsableArguments {
  @Option(
    name: .customLong("model"), help: "Ask this model; may be repeated.", completion: .models)
  var models: [String] = []
  @Option(
    help: ArgumentHelp("Ask it where a model cannot be asked.", valueName: "model"),
    completion: .models)
  var fallback: String?
  @Option(help: ArgumentHelp("Instruct the models.", valueName: "text"))
  var system: String?
  @Option(
    name: .customLong("attach"),
    help: ArgumentHelp(
      "Send a picture, a PDF or a text along; may be repeated.", valueName: "file"),
    completion: .file())
  var attachments: [String] = []
  @Option(help: "The sampling temperature.", transform: Double.decimal)
  var temperature: Double?
  @Option(help: ArgumentHelp("How hard models think: low, medium, high …", valueName: "level"))
  var effort: String?
  @Option(help: ArgumentHelp("The most tokens of an answer; 32000 otherwise.", valueName: "count"))
  var maxTokens: Int?
  @Option(
    name: .customLong("stop"),
    help: ArgumentHelp("End an answer at this text; may be repeated.", valueName: "text"))
  var stops: [String] = []
  @Option(
    help: ArgumentHelp("Have answers be JSON that fits this JSON Schema.", valueName: "file"),
    completion: .file())
  var schema: String?
  @Option(help: ArgumentHelp("Ask so often again for JSON that fits.", valueName: "count"))
  var repair: Int?
  @Flag(help: "Keep a single prompt in the provider's cache, too.")
  var cache = false
  @Flag(name: [.customShort("n"), .customLong("no-input")], help: "Leave stdin alone.")
  var noInput = false

  func validate() throws {
    guard temperature.map({ (0...2).contains($0) }) ?? true else {
      throw ValidationError("The temperature must be between 0 and 2.")
    }
    guard maxTokens ?? 1 > 0 else { throw ValidationError("--max-tokens must be positive.") }
    guard repair ?? 0 >= 0 else { throw ValidationError("--repair must not be negative.") }
    guard repair == nil || schema != nil else {
      throw ValidationError("--repair needs --schema.")
    }
    guard Set(models).count == models.count else {
      throw ValidationError("--model names a model twice.")
    }
  }

  /// Whether nothing but one model at most is asked for.
  var isPlain: Bool {
    models.count < 2 && fallback == nil && system == nil && attachments.isEmpty
      && temperature == nil && effort == nil && maxTokens == nil && stops.isEmpty && schema == nil
      && !cache
  }

  /// How to ask.
  ///
  /// - Throws: `NotFound` where the schema's file cannot be read.
  func chat() throws(Failure) -> ChatOptions {
    var options = ChatOptions()
    options.models = models
    options.fallback = fallback
    options.system = system
    options.temperature = temperature
    options.maximumOutputTokens = maxTokens
    options.effort = effort
    options.stopSequences = stops
    options.caches = cache
    options.schema = try schema.map { (path) throws(Failure) in
      String(decoding: try Session.bytes(ofFile: path, atMost: 1 << 20), as: UTF8.self)
    }
    options.repairs = repair ?? options.repairs
    return options
  }

  /// The files that go along; on a terminal their sizes are told.
  ///
  /// - Throws: `NotFound`, and `BadInput` for what no model reads.
  func files(_ session: Session) throws(Failure) -> [AttachedContent] {
    var files: [AttachedContent] = []
    for path in attachments {
      let bytes = try Session.bytes(ofFile: path, atMost: AttachedContent.maximumBytes)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      files.append(try AttachedContent(name: name, content: bytes))
    }
    guard files.reduce(0, { $0 + $1.content.count }) <= AttachedContent.maximumBytes else {
      throw Failure(
        .badInput,
        "the files together have more than \(AttachedContent.maximumBytes >> 20) MiB",
        kind: .tooLarge, input: attachments.last)
    }
    guard session.diagnostics.isTerminal else { return files }
    for file in files.map(\.file) {
      session.diagnostics.report(
        "'\(file.name)' goes along: \(file.contentType), \(file.bytes) bytes")
    }
    return files
  }
}
