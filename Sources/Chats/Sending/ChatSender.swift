public import Core
public import Providers
import Schemas

/// Finds out what a prompt comes to: which models are asked, and what each of them is sent.
public struct ChatSender: Sendable {
  let models: ModelAccess
  let chats: ChatStore
  let options: ChatOptions
  let form: AnswerForm?
  /// Whether turns are kept; what they cost is counted either way.
  let isKept: Bool

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

  /// A model that is asked, or why it cannot be.
  struct Chosen: Sendable {
    /// The name that was asked for; empty for none.
    var asked = ""
    /// The model that is asked, which may be the fallback.
    var choice: Result<ModelChoice, Failure>
    /// The reason for which the model itself cannot be asked.
    var failure: Failure?

    /// The name that the answer begins with.
    var name: String { (try? choice.get())?.name ?? asked }
  }

  /// Reads the chat that goes on, and chooses the models.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - place: Where the chat is that goes on, or the project that a new one belongs to.
  ///   - choice: The model, where it was chosen before; nil to choose by the options and the chat.
  /// - Returns: What is ready to be sent; nothing is kept yet.
  /// - Throws: What keeps the prompt from being sent at all.
  public func prepare(
    _ prompt: ChatPrompt, in place: ChatPlace, for choice: ModelChoice? = nil
  ) throws(Failure) -> ChatSending {
    let earlier =
      try place.chat.map { (chat) throws(Failure) in try chats.turns(of: chat.id) } ?? []
    let asksChat = options.models.isEmpty && choice == nil
    let kept = asksChat ? try KeptModel(of: earlier, option: options.modelOption) : nil
    let names = options.models.isEmpty ? [kept?.name] : options.models.map(Optional.some)
    let chosen = choice.map { [Chosen(choice: .success($0))] } ?? names.map(choose)
    // Nothing is begun where nobody can be asked.
    if chosen.count == 1, case .failure(let failure) = chosen[0].choice {
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
    return ChatSending(
      sender: self, prompt: prompt, question: question, chat: place.chat, fresh: fresh,
      request: request(prompt, after: turns, in: place.chat, or: fresh), kept: kept,
      chosen: chosen)
  }

  /// A model, or the fallback with what keeps the model from being asked.
  private func choose(_ name: String?) -> Chosen {
    do throws(Failure) {
      return Chosen(asked: name ?? "", choice: .success(try models.directory.choose(name)))
    } catch {
      guard let fallback = options.fallback, var choice = try? models.directory.choose(fallback)
      else { return Chosen(asked: name ?? "", choice: .failure(error)) }
      choice.isNamed = false
      return Chosen(asked: name ?? "", choice: .success(choice), failure: error)
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
}
