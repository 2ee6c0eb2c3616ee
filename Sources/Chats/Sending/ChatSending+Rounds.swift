import Asking
import Core
import Providers

/// The loop of tools.
extension ChatSending {
  /// Sends requests, and the results of the tools that the answers call, until an answer calls none
  /// or fails.
  ///
  /// - Returns: The last answer, or the last turn of results if no request may follow it.
  /// - Throws: `StorageFailed` if the next answer cannot be stored.
  func rounds(
    _ first: Begun, _ tools: ChatTools, reporting report: @escaping Tell
  ) async throws(Failure) -> Message {
    var (begun, request, choice, round) = (first, self.request, chosen[0].choice, 1)
    while true {
      let answered = await answer(begun, choice, request, reporting: report)
      guard let empty = answered.results, let model = answered.choice else {
        return answered.message
      }
      let calls = answered.message.toolCalls ?? []
      var results = await run(calls, in: empty, tools, reporting: report)
      if results.error == nil, round >= tools.maximumRounds {
        results.error = Failure(
          .budgetExceeded, "the limit of \(tools.maximumRounds) rounds of tools is reached")
      }
      if sender.isStored {
        do throws(Failure) {
          // The failure is not a part of the chat, which continues after these results.
          try sender.chats.save(round: results.with { $0.error = nil }, beginning: nil)
        } catch {
          results.error = results.error ?? error
        }
      }
      try? report(.ended(results))
      guard results.error == nil else { return results }
      request.turns += try ChatTurns.round(
        answered.message, results, takesPictures: model.takesPictures)
      request.brief = nil
      request.cacheLastTurn()
      choice = .success(model)
      begun = try beginNext(model, request)
      round += 1
      try? report(.delta(.empty(begun.message)))
    }
  }

  /// Returns the id of the session at a tool router that this chat goes on with; nil if there is
  /// none.
  func routerSession() async -> String? {
    guard let bench = sender.options.tools?.bench else { return nil }
    // Without a session, a call fails, and the model learns why.
    return (try? await bench.routerSession(after: chat?.toolRouterSessionId)) ?? nil
  }

  private func run(
    _ calls: [ToolCall], in turn: Message, _ tools: ChatTools, reporting report: @escaping Tell
  ) async -> Message {
    let (chats, isStored) = (sender.chats, sender.isStored)
    let receivers = ToolRound.Receivers(
      store: { (turn, place) throws(Failure) in
        if isStored { try chats.save(round: turn, beginning: place) }
      },
      fit: { $0.fitted(to: tools.maximumResultCharacters) },
      began: { (call) throws(Failure) in try report(.toolCall(call)) },
      ended: { try? report(.toolResult($0)) })
    return await ToolRound(calls, in: turn, on: tools.bench, receivers: receivers).run()
  }

  /// Stores the next answer, still empty, and the call for its request.
  private func beginNext(
    _ model: ModelChoice, _ request: ModelRequest
  ) throws(Failure) -> Begun {
    let message = emptyAnswer(of: model.name)
    let call = call(for: message, model.name, .success(model), request)
    let sent = call.map { [$0] } ?? []
    guard sender.isStored else {
      try sender.chats.save(sent)
      return Begun(message: message, call: call)
    }
    let kept = try sender.chats.append([message], to: (chat ?? fresh).id, calls: sent)
    return Begun(message: kept.first ?? message, call: call)
  }
}
