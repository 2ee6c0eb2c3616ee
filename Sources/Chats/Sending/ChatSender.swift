public import Core
public import Providers
import Schemas

/// Sends a prompt to one model or several, keeps what they answer, and tells it as it comes.
public struct ChatSender: Sendable {
  private let models: ModelAccess
  private let chats: ChatStore
  private let options: ChatOptions
  private let form: AnswerForm?
  /// Whether turns are kept; what they cost is counted either way.
  private let isKept: Bool

  /// Prepares to send.
  ///
  /// - Parameters:
  ///   - models: Who can be asked.
  ///   - chats: Where turns are kept.
  ///   - options: How to ask.
  ///   - isKept: Whether they are kept.
  /// - Throws: `BadInput` for a schema that is malformed or asks for what is not supported.
  public init(
    _ models: ModelAccess, chats: ChatStore, options: ChatOptions, isKept: Bool
  ) throws(Failure) {
    self.models = models
    self.chats = chats
    self.options = options
    self.isKept = isKept
    form = try options.schema.map { (json) throws(Failure) in try AnswerForm(json) }
  }

  /// Sends a prompt to all models at once, and waits until each of them has ended.
  ///
  /// Before anything is sent the prompt is on the disk, and before the end of an answer is told the
  /// answer is.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - place: Where the chat is that goes on, or the project that a new one belongs to.
  ///   - tell: Is told what happens, from any thread; what it throws ends the answer it is told of.
  /// - Returns: How each model ended, in the order of the options; one of them at least.
  /// - Throws: What keeps the prompt from being sent at all.
  public func send(
    _ prompt: ChatPrompt, in place: ChatPlace,
    tell: @escaping @Sendable (ChatEvent) throws(Failure) -> Void
  ) async throws(Failure) -> [Message] {
    let earlier =
      try place.chat.map { (chat) throws(Failure) in try chats.turns(of: chat.id) } ?? []
    let kept =
      options.models.isEmpty ? try KeptModel(of: earlier, option: options.modelOption) : nil
    let names = options.models.isEmpty ? [kept?.name] : options.models.map(Optional.some)
    let chosen = names.map { choose($0) }
    // Nothing is begun where nobody can be asked.
    if names.count == 1, case .failure(let failure) = chosen[0].choice {
      throw kept?.explained(failure) ?? failure
    }
    for case .success(let choice) in chosen.map(\.choice) {
      try choice.check(temperature: options.temperature, effort: options.effort)
    }
    let turns = try ChatTurns { (file) throws(Failure) in
      try place.chat.flatMap { (chat) throws(Failure) in
        try chats.content(of: file, in: chat.id)
      }
    }.turns(ChatStore.context(among: earlier))
    let question = prompt.message()
    let fresh = ChatStore.newChat(
      in: place.projectId, title: Chat.title(from: question.text), system: options.system)
    let request = request(prompt, after: turns, in: place.chat, or: fresh)
    let begun = try keep(
      question, prompt, answers: chosen.map(\.name), in: place.chat, or: fresh)
    // Whoever shows it knows from the first word on how many there are.
    for (index, message) in begun.enumerated() {
      if let failure = chosen[index].failure {
        try tell(
          .fallback(from: names[index] ?? "", to: chosen[index].name, because: failure))
      }
      try tell(
        .delta(Delta(model: message.model ?? "", text: "").with { $0.messageId = message.id }))
    }
    return await withTaskGroup(of: (Int, Message).self) { group in
      for (index, message) in begun.enumerated() {
        let choice = chosen[index].choice
        group.addTask {
          (index, await answer(request, choice, message, in: place, keeping: kept, telling: tell))
        }
      }
      var ended: [Int: Message] = [:]
      for await (index, message) in group { ended[index] = message }
      return begun.indices.compactMap { ended[$0] }
    }
  }

  /// A model, or the fallback with what keeps the model from being asked.
  private func choose(
    _ name: String?
  ) -> (name: String, choice: Result<ModelChoice, Failure>, failure: Failure?) {
    do throws(Failure) {
      let choice = try models.directory.choose(name)
      return (choice.name, .success(choice), nil)
    } catch {
      guard let fallback = options.fallback, var choice = try? models.directory.choose(fallback)
      else { return (name ?? "", .failure(error), nil) }
      choice.isNamed = false
      return (choice.name, .success(choice), error)
    }
  }

  private func request(
    _ prompt: ChatPrompt, after turns: [ModelRequest.Turn], in chat: Chat?, or fresh: Chat
  ) -> ModelRequest {
    let system = options.system ?? chat?.system
    let words = prompt.words
    let parts = prompt.files.map(\.part) + (words.isEmpty ? [] : [.text(words)])
    var request = ModelRequest(
      system: system ?? "", turns: turns + [.init(role: "user", parts: parts)],
      temperature: options.temperature, maximumOutputTokens: options.maximumOutputTokens,
      brief: prompt.brief(after: turns))
    request.stopSequences = options.stopSequences
    request.schema = form?.schema
    request.effort = options.effort
    request.cacheKey = (chat ?? fresh).id
    // The next turn of the chat begins with all of this one.
    guard !turns.isEmpty || options.caches else { return request }
    request.cachesSystem = true
    request.turns[request.turns.count - 1].cachedParts = parts.count
    // Sealed thinking is good behind the instructions that it followed, and no others.
    if let chat, system ?? "" != chat.system ?? "" { request.sendsOpaque = false }
    return request
  }

  /// Keeps the question, and that it is being answered.
  ///
  /// - Returns: The answers as they are begun.
  private func keep(
    _ question: Message, _ prompt: ChatPrompt, answers names: [String], in chat: Chat?,
    or fresh: Chat
  ) throws(Failure) -> [Message] {
    let group = names.count > 1 ? Identifier.make() : nil
    let begun = names.map { name in
      Message(role: "assistant", text: "").with {
        $0.id = Identifier.make()
        $0.model = name
        $0.groupId = group
        $0.complete = false
        $0.createdAt = .now
        $0.labels = prompt.labels
      }
    }
    guard isKept else {
      // A process that is killed leaves a call of unknown cost.
      for answer in begun { try count(answer, of: chat?.projectId ?? fresh.projectId) }
      return begun
    }
    let turns = [question] + begun
    let kept =
      if let chat {
        try chats.append(turns, to: chat.id, contents: prompt.contents)
      } else {
        try chats.begin(fresh, with: turns, contents: prompt.contents)
      }
    return Array(kept.dropFirst())
  }

  private func count(_ answer: Message, of projectId: String?) throws(Failure) {
    guard let id = answer.id else { return }
    try chats.count(ChatSpending(answer, projectId: projectId, isPlanning: false), of: id)
  }

  /// Asks a model until it has answered in the form that is wanted, or cannot.
  private func answer(
    _ request: ModelRequest, _ choice: Result<ModelChoice, Failure>, _ begun: Message,
    in place: ChatPlace, keeping kept: KeptModel?,
    telling tell: @escaping @Sendable (ChatEvent) throws(Failure) -> Void
  ) async -> Message {
    var message = begun
    switch choice {
    case .failure(let failure):
      // Nobody was asked.
      (message.error, message.costUSD) = (failure, 0)
    case .success(let choice):
      let asking = ChatAsking(
        client: models.client, directory: models.directory, fallback: options.fallback, form: form,
        repairs: options.repairs, tell: tell)
      message = await asking.answer(request, choice, begun)
      if message.text.isEmpty, let kept { message.error = message.error.map(kept.explained) }
    }
    do throws(Failure) {
      if isKept {
        try chats.save(message)
      } else {
        try count(message, of: place.projectId)
      }
    } catch {
      // It was paid for: whoever reads us has it, though the store has not.
      message.error = message.error ?? error
    }
    // The reader may be what went away.
    for call in message.toolCalls ?? [] { try? tell(.toolCall(call)) }
    try? tell(.ended(message))
    return message
  }
}
