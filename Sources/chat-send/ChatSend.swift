import ArgumentParser
import Chats
import Command
import Core
import Providers

@main
struct ChatSend: Tool {
  static let configuration = toolConfiguration(
    "chat-send", abstract: "Send a prompt to one or more models",
    discussion: """
      Examples:
        git diff | chat-send 'review this' --model sonnet --effort low
        chat-send 'name three risks' --model opus --model openai
        chat-send --continue 'and the second one?'
      """)

  @Argument(help: "The prompt; '-' or nothing reads it from stdin.")
  var prompt: String?
  @OptionGroup var place: PlaceOptions
  @OptionGroup var asking: AskingOptions
  @OptionGroup var loop: LoopOptions
  @Flag(help: "Write 'delta' records while answers arrive.")
  var stream = false
  @Flag(help: "Store only the cost, not the prompt or the answers.")
  var noStore = false
  @Flag(help: ArgumentHelp("Trace requests on stderr, without secrets.", visibility: .hidden))
  var trace = false
  @OptionGroup var host: HostOptions
  @OptionGroup var limits: RequestOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard prompt?.lowercased() != "help" else {
      throw ValidationError(
        "'help' alone is not a prompt: write more words, or pass it on stdin.")
    }
    guard loop.tools.isEmpty || asking.models.count < 2 else {
      throw ValidationError("--tool allows only one --model.")
    }
    try host.validateAlone()
    guard host.host != nil else { return }
    guard place.chat != nil else { throw ValidationError("--host needs --chat.") }
    guard asking.isPlain, loop.isEmpty, !noStore, !trace else {
      throw ValidationError(
        "--host allows a prompt and one --model, but no other request options.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let input = PromptInput(session, operand: prompt, readsInput: !asking.noInput)
    if let name = host.host, let chat = place.chat {
      return try await goOn(on: name, with: chat, session, input)
    }
    let configuration = try session.configuration()
    let keys = session.keys(configuration)
    let models = ModelAccess(
      configuration, session.directories, keys: keys, environment: session.environment,
      timeouts: limits.timeouts,
      retries: limits.retries,
      trace: tracing(session))
    var options = try asking.chat()
    options.maxCost = loop.maxCost
    let files = try asking.files(session)
    let chats = try ChatStore(session.directories, keys: keys)
    try await loop.offering(session, retries: limits.retries) { (tools) async throws(Failure) in
      options.tools = tools
      let sender = try ChatSender(models, chats: chats, options: options, isStored: !noStore)
      try await send(input, with: files, to: sender, chats, session)
    }
  }

  /// Sends the prompts to a chat on the host with the given name.
  private func goOn(
    on name: String, with chat: String, _ session: Session, _ input: PromptInput
  ) async throws(Failure) {
    try await input.each { (prompt, source) async throws(Failure) in
      _ = try await session.showingAnswers(streaming: stream, of: source) {
        (tell) async throws(Failure) in
        [
          try await host.goOn(
            on: name, with: chat, model: asking.models.first, prompt.words, session, tell: tell)
        ]
      }
    }
  }

  /// Sends the prompts to models.
  ///
  /// All prompts become turns of one chat.
  private func send(
    _ input: PromptInput, with files: [AttachedContent], to sender: ChatSender, _ chats: ChatStore,
    _ session: Session
  ) async throws(Failure) {
    var place = try chats.place(
      chat: place.chat, continues: place.continues, project: place.project, isStored: !noStore)
    var input = input
    if let chat = place.chat, !input.hasOperand, files.isEmpty {
      input.mayBeAbsent = try chats.isUnfinished(chat.id)
    }
    try await input.each { (prompt, source) async throws(Failure) in
      var prompt = prompt
      prompt.files += files
      let ended = try await session.showingAnswers(streaming: stream, of: source) {
        (tell) async throws(Failure) in
        try await sender.prepare(prompt, in: place).send(report: tell)
      }
      if !noStore, let id = ended.first?.chatId { place.chat = try chats.chat(id) }
    }
  }

  /// Returns a function that prints protocol traffic; nil unless `--trace` is set.
  private func tracing(_ session: Session) -> (@Sendable (String) -> Void)? {
    guard trace else { return nil }
    return { line in session.diagnostics.report(line) }
  }
}
