import Asking
public import Core
import Providers

/// A prompt that is ready for sending.
///
/// It is sent to one or several models. Their answers are stored and reported as they arrive.
public struct ChatSending: Sendable {
  let sender: ChatSender
  let prompt: ChatPrompt
  /// The prompt as a turn.
  let question: Message
  /// The chat to continue; nil for a new one.
  let chat: Chat?
  /// The new chat that is stored if no chat is continued.
  let fresh: Chat
  let request: ModelRequest
  /// The model that the chat is bound to.
  let bound: KeptModel?
  let chosen: [ChatSender.Chosen]

  private typealias Tell = @Sendable (ChatEvent) throws(Failure) -> Void

  /// Sends the prompt to all models at once, and waits for all of them.
  ///
  /// The prompt and a call for each answer are on disk before any request is sent. An answer is on
  /// disk before its end is reported.
  ///
  /// - Parameter report: Receives the events, on any thread. If it throws, the answer that the
  ///   event belongs to ends.
  /// - Returns: The final answers, at least one, in the order of the requested models.
  /// - Throws: A failure that prevents the prompt from being sent to any model.
  public func send(
    report: @escaping @Sendable (ChatEvent) throws(Failure) -> Void
  ) async throws(Failure) -> [Message] {
    let (begun, calls) = try begin()
    do throws(Failure) {
      // A display can show the number of answers before the first word.
      for (message, chosen) in zip(begun, chosen) {
        if let failure = chosen.failure {
          try report(.fallback(from: chosen.requested, to: chosen.name, because: failure))
        }
        try report(
          .delta(Delta(model: message.model ?? "", text: "").with { $0.messageId = message.id }))
      }
    } catch {
      // If this fails, the requests count as possibly sent.
      try? sender.chats.save(calls.map(\.unsent))
      throw error
    }
    return await withTaskGroup(of: (Int, Message).self) { group in
      for (index, message) in begun.enumerated() {
        group.addTask {
          (index, await answer(message, calls[index], chosen[index].choice, reporting: report))
        }
      }
      var ended: [Int: Message] = [:]
      for await (index, message) in group { ended[index] = message }
      return begun.indices.compactMap { ended[$0] }
    }
  }

  /// Stores the question, the empty answers, and the calls for the requests about to be sent.
  ///
  /// - Returns: The empty answers, and one call for each of them.
  private func begin() throws(Failure) -> (answers: [Message], calls: [Call]) {
    let group = chosen.count > 1 ? Identifier.make() : nil
    let begun = chosen.map { chosen in
      Message(role: "assistant", text: "").with {
        $0.id = Identifier.make()
        $0.model = chosen.name
        $0.groupId = group
        $0.complete = false
        $0.createdAt = .now
        $0.labels = prompt.labels
      }
    }
    let calls = zip(begun, chosen).map(call)
    guard sender.isStored else {
      try sender.chats.save(calls)
      return (begun, calls)
    }
    let turns = [question] + begun
    let kept =
      if let chat {
        try sender.chats.append(turns, to: chat.id, contents: prompt.contents, calls: calls)
      } else {
        try sender.chats.begin(fresh, with: turns, contents: prompt.contents, calls: calls)
      }
    return (Array(kept.dropFirst()), calls)
  }

  /// Returns the first call for the given answer.
  ///
  /// It costs nothing if no model is available.
  private func call(for answer: Message, _ chosen: ChatSender.Chosen) -> Call {
    let owner = Call.Owner(
      tool: Call.Owner.chats, answerId: answer.id, projectId: (chat ?? fresh).projectId)
    guard case .success(let choice) = chosen.choice else {
      return Call(for: owner, model: chosen.name, estimatedTokens: 0, estimatedCostUSD: 0).unsent
    }
    let estimate = Estimate(request, choice)
    return Call(for: owner, estimate, output: estimate.mostOutput)
  }

  /// Sends requests for the given answer until it has the required form or fails.
  private func answer(
    _ begun: Message, _ call: Call, _ choice: Result<ModelChoice, Failure>,
    reporting report: @escaping Tell
  ) async -> Message {
    var message = begun
    let account = CallAccount(of: call.owner, in: sender.chats, opened: call)
    switch choice {
    case .failure(let failure):
      // No request was sent.
      (message.error, message.costUSD) = (failure, 0)
    case .success(let choice):
      let asking = ChatAsking(
        client: sender.models.client, account: account, directory: sender.models.directory,
        fallback: sender.options.fallback, form: sender.form, repairs: sender.options.repairs,
        report: report)
      message = await asking.answer(request, choice, begun)
      if message.text.isEmpty, let bound { message.error = message.error.map(bound.explained) }
    }
    let last = await account.uncommitted
    do throws(Failure) {
      if sender.isStored {
        try sender.chats.save(message, last)
      } else if let last {
        try sender.chats.save([last])
      }
    } catch {
      // The answer was paid for, so it is reported although it could not be stored.
      message.error = message.error ?? error
    }
    // Errors are ignored, because the reader itself may have failed.
    for call in message.toolCalls ?? [] { try? report(.toolCall(call)) }
    try? report(.ended(message))
    return message
  }
}
