import Asking
public import Core
public import Providers
import Schemas

/// A sender that chooses the models for a prompt and prepares a request to each of them.
public struct ChatSender: Sendable {
  let models: ModelAccess
  let chats: ChatStore
  let options: ChatOptions
  let form: AnswerForm?
  /// `true` if turns are stored.
  ///
  /// Costs are always recorded.
  let isStored: Bool
  /// The budget of all requests; nil for no limit.
  let budget: Budget?

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - models: The available models.
  ///   - chats: The store of the turns.
  ///   - options: The options for sending.
  ///   - isStored: `true` to store the turns.
  /// - Throws: `BadInput` for a schema that is malformed or uses unsupported keywords.
  public init(
    _ models: ModelAccess, chats: ChatStore, options: ChatOptions, isStored: Bool
  ) throws(Failure) {
    self.models = models
    self.chats = chats
    self.options = options
    self.isStored = isStored
    budget = options.maxCost.map { Budget(maxCost: $0, maxTokens: nil, spent: Spending()) }
    form = try options.schema.map { (json) throws(Failure) in try AnswerForm(json) }
  }

  /// A chosen model, or the reason why it is unavailable.
  struct Chosen: Sendable {
    /// The name of the model that was requested; empty if none was requested.
    var requested = ""
    /// The model to use, or the reason why there is none.
    ///
    /// The model may be the fallback.
    var choice: Result<ModelChoice, Failure>
    /// The reason why the requested model is unavailable.
    var failure: Failure?

    /// The model's name in the empty answer that is stored first.
    var name: String { (try? choice.get())?.name ?? requested }
  }

  /// Reads the chat to continue and chooses the models.
  ///
  /// - Parameters:
  ///   - prompt: The prompt; an empty one continues a chat that ``ChatStore/isUnfinished(_:)``.
  ///   - place: The chat to continue, or the project of a new one.
  ///   - choice: The model, if it is already chosen; nil to choose it by the options and the chat.
  /// - Returns: The prompt ready for sending; nothing is stored yet.
  /// - Throws: A failure that prevents the prompt from being sent to any model, such as `BadUsage`
  ///   if there is no prompt.
  public func prepare(
    _ prompt: ChatPrompt, in place: ChatPlace, for choice: ModelChoice? = nil
  ) throws(Failure) -> ChatSending {
    var earlier =
      try place.chat.map { (chat) throws(Failure) in try chats.turns(of: chat.id) } ?? []
    guard !prompt.isEmpty || ChatStore.isUnfinished(earlier) else {
      throw Failure(.badUsage, "there is no prompt")
    }
    let settled = ChatStore.settle(&earlier)
    let asksChat = options.models.isEmpty && choice == nil
    let bound = asksChat ? try KeptModel(of: earlier, option: options.modelOption) : nil
    let names = options.models.isEmpty ? [bound?.name] : options.models.map(Optional.some)
    let chosen = choice.map { [Chosen(choice: .success($0))] } ?? names.map(choose)
    // Nothing is stored if no model is available.
    if chosen.count == 1, case .failure(let failure) = chosen[0].choice {
      throw bound?.explained(failure) ?? failure
    }
    for case .success(let choice) in chosen.map(\.choice) {
      try choice.check(temperature: options.temperature, effort: options.effort)
    }
    let takesPictures = chosen.allSatisfy {
      (try? $0.choice.get())?.takesPictures != false
    }
    let turns = try ChatTurns(takesPictures: takesPictures) { (file) throws(Failure) in
      try place.chat.flatMap { (chat) throws(Failure) in
        try chats.content(of: file, in: chat.id)
      }
    }.turns(ChatStore.context(among: earlier))
    let question = prompt.isEmpty ? nil : prompt.message()
    let fresh = ChatStore.newChat(
      in: place.projectId, title: Chat.title(from: question?.text ?? ""), system: options.system)
    return ChatSending(
      sender: self, prompt: prompt, settled: settled, question: question, chat: place.chat,
      fresh: fresh,
      request: request(prompt, after: turns, in: place.chat, or: fresh), bound: bound,
      chosen: chosen)
  }

  /// Returns the model with the given name, or the fallback and the reason why it is used.
  private func choose(_ name: String?) -> Chosen {
    do throws(Failure) {
      return Chosen(requested: name ?? "", choice: .success(try models.directory.choose(name)))
    } catch {
      guard let fallback = options.fallback, var choice = try? models.directory.choose(fallback)
      else { return Chosen(requested: name ?? "", choice: .failure(error)) }
      choice.isNamed = false
      return Chosen(requested: name ?? "", choice: .success(choice), failure: error)
    }
  }

  private func request(
    _ prompt: ChatPrompt, after turns: [ModelRequest.Turn], in chat: Chat?, or fresh: Chat
  ) -> ModelRequest {
    let system = options.system ?? chat?.system
    let words = prompt.words
    let parts = prompt.files.map(\.part) + (words.isEmpty ? [] : [.text(words)])
    let question = parts.isEmpty ? [] : [ModelRequest.Turn(role: "user", parts: parts)]
    var request = ModelRequest(
      system: system ?? "", turns: turns + question,
      temperature: options.temperature, maximumOutputTokens: options.maximumOutputTokens,
      brief: parts.isEmpty ? nil : prompt.brief(after: turns))
    request.tools = options.tools?.bench.offers ?? []
    request.stopSequences = options.stopSequences
    request.schema = form?.schema
    request.effort = options.effort
    request.cacheKey = (chat ?? fresh).id
    // The next request of the chat begins with all of this one, so caching pays.
    guard !turns.isEmpty || options.caches || !request.tools.isEmpty else { return request }
    request.cachesSystem = true
    request.cacheLastTurn()
    // Sealed reasoning is valid only after the same instructions.
    if let chat, system ?? "" != chat.system ?? "" {
      for place in turns.indices { request.turns[place].opaque = nil }
    }
    return request
  }
}

extension ModelRequest {
  /// Marks the last turn for the provider's cache, and no other turn.
  mutating func cacheLastTurn() {
    for place in turns.indices { turns[place].cachedParts = nil }
    guard let last = turns.indices.last else { return }
    turns[last].cachedParts = turns[last].parts.count
  }
}
