import Asking
public import Core
import Providers

/// A prompt that is ready for sending.
///
/// It is sent to one or several models. Their answers are stored and reported as they arrive.
public struct ChatSending: Sendable {
  let sender: ChatSender
  let prompt: ChatPrompt
  /// The turns of earlier calls whose process ended before them.
  let settled: [SettledTurn]
  /// The prompt as a turn; nil if the chat continues without one.
  let question: Message?
  /// The chat to continue; nil for a new one.
  let chat: Chat?
  /// The new chat that is stored if no chat is continued.
  let fresh: Chat
  let request: ModelRequest
  /// The model that the chat is bound to.
  let bound: KeptModel?
  let chosen: [ChatSender.Chosen]

  typealias Tell = @Sendable (ChatEvent) throws(Failure) -> Void

  /// An answer that is stored and still empty.
  struct Begun: Sendable {
    var message: Message
    /// The call that was stored with the answer; nil if a budget decides about the first call.
    var call: Call?
  }

  /// Sends the prompt to all models at once, and waits for all of them.
  ///
  /// The prompt and a call for each answer are on disk before any request is sent. An answer is on
  /// disk before its end is reported. If a model calls tools, their results are sent to it until it
  /// calls none.
  ///
  /// - Parameter report: Receives the events, on any thread. If it throws, the answer of that event
  ///   ends.
  /// - Returns: The final answers, at least one, in the order of the requested models. If the
  ///   rounds of tools are used up, or a person stopped the tools, the turn of results.
  /// - Throws: A failure that prevents the prompt from being sent to any model, or the next round
  ///   from being stored.
  public func send(
    report: @escaping @Sendable (ChatEvent) throws(Failure) -> Void
  ) async throws(Failure) -> [Message] {
    let session = await routerSession()
    let begun = try begin(session)
    do throws(Failure) {
      for turn in settled {
        for result in turn.calls { try report(.toolResult(result)) }
        try report(.ended(turn.turn))
      }
      // A display can show the number of answers before the first word.
      for (begun, chosen) in zip(begun, chosen) {
        if let failure = chosen.failure {
          try report(.fallback(from: chosen.requested, to: chosen.name, because: failure))
        }
        try report(.delta(.empty(begun.message)))
      }
    } catch {
      // If this fails, the requests count as possibly sent.
      try? sender.chats.save(begun.compactMap { $0.call?.unsent })
      throw error
    }
    await sender.budget?.start(begun.compactMap(\.message.id))
    if let tools = sender.options.tools, begun.count == 1 {
      return [try await rounds(begun[0], tools, reporting: report)]
    }
    return await withTaskGroup(of: (Int, Message).self) { group in
      for (index, begun) in begun.enumerated() {
        group.addTask {
          let answered = await answer(begun, chosen[index].choice, request, reporting: report)
          return (index, answered.message)
        }
      }
      var ended: [Int: Message] = [:]
      for await (index, message) in group { ended[index] = message }
      return begun.indices.compactMap { ended[$0] }
    }
  }

  /// Stores the question, the empty answers, and the calls for the requests about to be sent.
  private func begin(_ routerSession: String?) throws(Failure) -> [Begun] {
    let group = chosen.count > 1 ? Identifier.make() : nil
    let messages = chosen.map { chosen in
      emptyAnswer(of: chosen.name).with { $0.groupId = group }
    }
    let calls = zip(messages, chosen).map { call(for: $0, $1.name, $1.choice, request) }
    let sent = calls.compactMap(\.self)
    guard sender.isStored else {
      try sender.chats.save(sent)
      return zip(messages, calls).map { Begun(message: $0, call: $1) }
    }
    let turns = settled.map(\.turn) + (question.map { [$0] } ?? []) + messages
    let kept =
      if let chat {
        try sender.chats.append(turns, to: chat.id, contents: prompt.contents, calls: sent)
      } else {
        try sender.chats.begin(fresh, with: turns, contents: prompt.contents, calls: sent)
      }
    if let routerSession, routerSession != chat?.toolRouterSessionId {
      try sender.chats.keep(routerSession: routerSession, in: (chat ?? fresh).id)
    }
    return zip(kept.suffix(messages.count), calls).map { Begun(message: $0, call: $1) }
  }

  /// Returns an answer of the given model that has not begun.
  func emptyAnswer(of model: String) -> Message {
    Message(role: "assistant", text: "").with {
      $0.id = Identifier.make()
      $0.model = model
      $0.complete = false
      $0.createdAt = .now
      $0.labels = prompt.labels
    }
  }

  /// Returns the first call for the given answer, which costs nothing if no model is available; nil
  /// if a budget decides about it.
  func call(
    for answer: Message, _ model: String, _ choice: Result<ModelChoice, Failure>,
    _ request: ModelRequest
  ) -> Call? {
    let owner = owner(of: answer)
    guard case .success(let choice) = choice else {
      return Call(for: owner, model: model, estimatedTokens: 0, estimatedCostUSD: 0).unsent
    }
    guard sender.budget == nil else { return nil }
    let estimate = Estimate(request, choice)
    return Call(for: owner, estimate, output: estimate.mostOutput)
  }

  private func owner(of answer: Message) -> Call.Owner {
    let chat = chat ?? fresh
    return Call.Owner(
      tool: Call.Owner.chats, answerId: answer.id, projectId: chat.projectId, sessionId: chat.id)
  }

  /// An answer in its final state.
  struct Answered: Sendable {
    var message: Message
    /// The model that answered; nil if none was available.
    var choice: ModelChoice?
    /// The turn for the results of the calls, stored with the answer; nil if there are none, or if
    /// no tools are offered.
    var results: Message?
  }

  /// Sends requests for the given answer until it has the required form or fails.
  func answer(
    _ begun: Begun, _ choice: Result<ModelChoice, Failure>, _ request: ModelRequest,
    reporting report: @escaping Tell
  ) async -> Answered {
    var answered = Answered(message: begun.message)
    let account = CallAccount(
      of: owner(of: begun.message), in: sender.chats, budget: sender.budget, opened: begun.call)
    switch choice {
    case .failure(let failure):
      // No request was sent.
      (answered.message.error, answered.message.costUSD) = (failure, 0)
    case .success(let choice):
      let asking = ChatAsking(
        client: sender.models.client, account: account, directory: sender.models.directory,
        fallback: sender.options.fallback, form: sender.form, repairs: sender.options.repairs,
        report: report)
      let (message, last) = await asking.answer(request, choice, begun.message)
      (answered.message, answered.choice) = (message, last)
      if message.text.isEmpty, let bound {
        answered.message.error = message.error.map(bound.explained)
      }
    }
    if let id = begun.message.id { await sender.budget?.leave(id) }
    answered.take(sender.options.tools?.bench)
    keep(&answered, await account.uncommitted, account)
    // Errors are ignored, because the reader itself may have failed.
    if answered.results == nil {
      for call in answered.message.toolCalls ?? [] { try? report(.toolCall(call)) }
    }
    try? report(.ended(answered.message))
    return answered
  }

  /// Stores the given answer, the turn for the results of its calls, and its last request.
  private func keep(_ answered: inout Answered, _ last: Call?, _ account: CallAccount) {
    let turns = [answered.message] + (answered.results.map { [$0] } ?? [])
    do throws(Failure) {
      try account.commit { () throws(Failure) in
        if sender.isStored, let chatId = answered.message.chatId {
          try sender.chats.append(turns, to: chatId, calls: last.map { [$0] } ?? [])
        } else if let last {
          try sender.chats.save([last])
        }
      }
    } catch {
      // The answer was paid for, so it is reported although it could not be stored.
      answered.message.error = answered.message.error ?? error
      answered.results = nil
    }
  }
}

extension ChatSending.Answered {
  /// Names the called tools, and begins the turn for their results.
  fileprivate mutating func take(_ bench: (any ToolBench)?) {
    guard let bench, message.complete == true, let calls = message.toolCalls else { return }
    var ids: Set<String> = []
    let named = calls.enumerated().map { place, call in
      var named = bench.named(call)
      // Some servers omit the ids, or repeat them in each answer.
      if call.id.isEmpty || !ids.insert(call.id).inserted { named.id = "call_\(place)" }
      ids.insert(named.id)
      return named
    }
    message.toolCalls = named
    results = Message(resultsOf: named).with {
      ($0.chatId, $0.labels) = (message.chatId, message.labels)
    }
  }
}

extension Delta {
  /// Returns an empty piece of the given answer.
  static func empty(_ answer: Message) -> Delta {
    Delta(model: answer.model ?? "", text: "").with { $0.messageId = answer.id }
  }
}
