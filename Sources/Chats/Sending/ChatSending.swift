import Asking
public import Core
import Providers

/// A prompt that is ready to be sent: to one model or several, whose answers are kept and told as they
/// come.
public struct ChatSending: Sendable {
  let sender: ChatSender
  let prompt: ChatPrompt
  /// The prompt as a turn.
  let question: Message
  /// The chat that goes on.
  let chat: Chat?
  /// The chat that begins where none goes on.
  let fresh: Chat
  let request: ModelRequest
  /// The model that the chat keeps.
  let kept: KeptModel?
  let chosen: [ChatSender.Chosen]

  private typealias Tell = @Sendable (ChatEvent) throws(Failure) -> Void

  /// Sends the prompt to all models at once, and waits until each of them has ended.
  ///
  /// Before anything is sent the prompt is on the disk, and each call in the account of its answer.
  /// Before the end of an answer is told the answer is on the disk.
  ///
  /// - Parameter tell: Is told what happens, from any thread; what it throws ends the answer it is told
  ///   of.
  /// - Returns: How each model ended, in the order of the options; one of them at least.
  /// - Throws: What keeps the prompt from being sent at all.
  public func send(
    tell: @escaping @Sendable (ChatEvent) throws(Failure) -> Void
  ) async throws(Failure) -> [Message] {
    let (begun, calls) = try begin()
    do throws(Failure) {
      // Whoever shows it knows from the first word on how many there are.
      for (message, chosen) in zip(begun, chosen) {
        if let failure = chosen.failure {
          try tell(.fallback(from: chosen.asked, to: chosen.name, because: failure))
        }
        try tell(
          .delta(Delta(model: message.model ?? "", text: "").with { $0.messageId = message.id }))
      }
    } catch {
      // Where this fails the requests count as some that may have been sent.
      try? sender.chats.save(calls.map(\.unsent))
      throw error
    }
    return await withTaskGroup(of: (Int, Message).self) { group in
      for (index, message) in begun.enumerated() {
        group.addTask {
          (index, await answer(message, calls[index], chosen[index].choice, telling: tell))
        }
      }
      var ended: [Int: Message] = [:]
      for await (index, message) in group { ended[index] = message }
      return begun.indices.compactMap { ended[$0] }
    }
  }

  /// Keeps the question, that it is being answered, and the requests that are about to be sent.
  ///
  /// - Returns: The answers as they are begun, and the call of each.
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
    guard sender.isKept else {
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

  /// The first request for an answer; one of no cost where nobody is asked.
  private func call(for answer: Message, _ chosen: ChatSender.Chosen) -> Call {
    let owner = Call.Owner(
      tool: Call.Owner.chats, answerId: answer.id, projectId: (chat ?? fresh).projectId)
    guard case .success(let choice) = chosen.choice else {
      return Call(for: owner, model: chosen.name, estimatedTokens: 0, estimatedCostUSD: 0).unsent
    }
    let estimate = Estimate(request, choice)
    return Call(for: owner, estimate, output: estimate.mostOutput)
  }

  /// Asks a model until it has answered in the form that is wanted, or cannot.
  private func answer(
    _ begun: Message, _ call: Call, _ choice: Result<ModelChoice, Failure>,
    telling tell: @escaping Tell
  ) async -> Message {
    var message = begun
    let account = CallAccount(of: call.owner, in: sender.chats, opened: call)
    switch choice {
    case .failure(let failure):
      // Nobody was asked.
      (message.error, message.costUSD) = (failure, 0)
    case .success(let choice):
      let asking = ChatAsking(
        client: sender.models.client, account: account, directory: sender.models.directory,
        fallback: sender.options.fallback, form: sender.form, repairs: sender.options.repairs,
        tell: tell)
      message = await asking.answer(request, choice, begun)
      if message.text.isEmpty, let kept { message.error = message.error.map(kept.explained) }
    }
    let last = await account.uncommitted
    do throws(Failure) {
      if sender.isKept {
        try sender.chats.save(message, last)
      } else if let last {
        try sender.chats.save([last])
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
