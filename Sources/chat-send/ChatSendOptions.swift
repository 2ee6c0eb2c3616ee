import ArgumentParser
import Chats
import Command
import Core

/// The options that select the chat.
struct PlaceOptions: ParsableArguments {
  @Flag(name: .customLong("continue"), help: "Continue the last chat.")
  var continues = false
  @Option(
    help: ArgumentHelp("Continue this chat.", valueName: "id"),
    completion: .chats(ChatTitles.ofChats))
  var chat: String?
  @Option(
    help: ArgumentHelp("The chat's project: a folder or a name.", valueName: "project"),
    completion: .projects(ChatTitles.ofProjects))
  var project: String?

  func validate() throws {
    guard !(continues && chat != nil) else {
      throw ValidationError("--continue and --chat exclude each other.")
    }
    guard chat == nil || project == nil else {
      throw ValidationError("--chat and --project exclude each other.")
    }
  }
}

/// The options that apply to the request rather than to the prompt.
struct AskingOptions: ParsableArguments {
  @Option(
    name: .customLong("model"), help: "The model to use; may be repeated.", completion: .models)
  var models: [String] = []
  @Option(
    help: ArgumentHelp("Use this model if another one is unavailable.", valueName: "model"),
    completion: .models)
  var fallback: String?
  @Option(help: ArgumentHelp("The system prompt.", valueName: "text"))
  var system: String?
  @Option(
    name: .customLong("attach"),
    help: ArgumentHelp(
      "Attach an image, a PDF or a text; may be repeated.", valueName: "file"),
    completion: .file())
  var attachments: [String] = []
  @Option(help: "Sampling temperature.", transform: Double.decimal)
  var temperature: Double?
  @Option(help: ArgumentHelp("Reasoning effort: low, medium, high …", valueName: "level"))
  var effort: String?
  @Option(help: ArgumentHelp("Token limit of an answer; 32000 by default.", valueName: "count"))
  var maxTokens: Int?
  @Option(
    name: .customLong("stop"),
    help: ArgumentHelp(
      "Stop an answer at this text; may be repeated.", valueName: "text", visibility: .hidden))
  var stops: [String] = []
  @Option(
    help: ArgumentHelp("Request JSON that matches this JSON Schema.", valueName: "file"),
    completion: .file())
  var schema: String?
  @Option(
    help: ArgumentHelp(
      "Ask again this many times for JSON that matches.", valueName: "count", visibility: .hidden))
  var repair: Int?
  @Flag(
    help: ArgumentHelp("Cache the prompt of a new chat at the provider.", visibility: .hidden))
  var cache = false
  @Flag(name: [.customShort("n"), .customLong("no-input")], help: "Do not read stdin.")
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

  /// `true` if no option is set, except for an option that selects a single model.
  var isPlain: Bool {
    models.count < 2 && fallback == nil && system == nil && attachments.isEmpty
      && temperature == nil && effort == nil && maxTokens == nil && stops.isEmpty && schema == nil
      && !cache
  }

  /// Returns the options for sending in a chat.
  ///
  /// - Throws: `NotFound` if the file of the schema cannot be read.
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

  /// Reads the attached files.
  ///
  /// On a terminal, their sizes are reported.
  ///
  /// - Throws: `NotFound` if a file cannot be read; `BadInput` if no model reads files of its type.
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
        "the files together are larger than \(AttachedContent.maximumBytes >> 20) MiB",
        kind: .tooLarge, input: attachments.last)
    }
    guard session.diagnostics.isTerminal else { return files }
    for file in files.map(\.file) {
      session.diagnostics.report(
        "attached '\(file.name)': \(file.contentType), \(file.bytes) bytes")
    }
    return files
  }
}
