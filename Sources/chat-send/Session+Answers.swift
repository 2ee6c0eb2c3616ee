import Chats
import Command
import Core
import Providers
import Synchronization

extension Session {
  /// Shows the answers of models, and includes their failures in the exit status.
  ///
  /// - Parameters:
  ///   - streaming: `true` to write pieces of answers even if stdout is not a terminal.
  ///   - source: The line from which the prompt was read, for failures; nil for none.
  ///   - work: Sends the request. Its argument is the closure that receives the events.
  /// - Returns: The answers.
  /// - Throws: The errors of `work`; the first error of writing the output.
  func showingAnswers(
    streaming: Bool, of source: String?,
    _ work: (@escaping @Sendable (ChatEvent) throws(Failure) -> Void) async throws(Failure)
      -> [Message]
  ) async throws(Failure) -> [Message] {
    let writesPieces = streaming || !output.isNDJSON
    let unwritten = Mutex<Failure?>(nil)
    let costs = Mutex(LoopCosts())
    let ended = try await showingProgress { () async throws(Failure) in
      try await work { [self] (event) throws(Failure) in
        costs.withLock { $0.add(event) }
        do throws(Failure) {
          try tell(event.at(source), writesPieces)
        } catch {
          unwritten.withLock { $0 = $0 ?? error }
          throw error
        }
      }
    }
    let failureToWrite = unwritten.withLock(\.self)
    for message in ended where message.error != failureToWrite {
      guard let failure = message.error(at: source) else { continue }
      guard failure.code != .interrupted else { throw failureToWrite ?? failure }
      remember(failure)
      diagnostics.report(failure)
    }
    if let failureToWrite { throw failureToWrite }
    if isOnTerminal, !output.isNDJSON, let line = costs.withLock(\.line) {
      diagnostics.report(line)
    }
    return ended
  }

  private func tell(_ event: ChatEvent, _ writesPieces: Bool) throws(Failure) {
    switch event {
    case .delta(let delta):
      let isEmpty = delta.text.isEmpty && delta.reasoning == nil
      if writesPieces, !isEmpty || !output.isNDJSON { try output.write(delta) }
    case .restart(let id):
      guard writesPieces else { return }
      try output.write(
        Delta(model: "", text: "").with { ($0.messageId, $0.restart) = (id, true) })
    case .fallback(let from, let to, let failure):
      diagnostics.report("using '\(to)' instead of '\(from)': \(failure.explanation)")
    case .toolCall(let call): try output.write(call)
    case .toolResult(let result):
      if output.isNDJSON { try output.write(result) }
      if let failure = result.error {
        let name = Visible.line(result.name)
        diagnostics.report("the call of '\(name)' failed: \(failure.explanation)")
      }
    case .ended(let message) where message.toolResults != nil && !output.isNDJSON:
      // People see the outcomes; chat-log show prints the outputs too.
      try output.write(message.withoutOutputs)
    case .ended(let message):
      try output.write(message)
      if ModelAnswer.isLength(message.stopReason) {
        diagnostics.report(
          "the answer from '\(message.model ?? "")' was cut at its token limit "
            + "(\(message.stopReason ?? ""))")
      }
      if message.stopReason == "pause_turn" {
        diagnostics.report(
          "'\(message.model ?? "")' paused its turn: run 'chat-send --continue' to resume")
      }
    }
  }
}

extension ChatEvent {
  /// Returns the event, with the given line of the prompt added to its failure.
  fileprivate func at(_ source: String?) -> ChatEvent {
    guard case .ended(let message) = self else { return self }
    return .ended(message.with { $0.error = message.error(at: source) })
  }
}

extension Message {
  /// The message without the outputs of its tools.
  fileprivate var withoutOutputs: Message {
    with { message in
      message.toolResults = toolResults?.map { result in
        // Failures are reported on stderr.
        result.with { ($0.content, $0.structuredContent, $0.error) = ([], nil, nil) }
      }
    }
  }

  fileprivate func error(at source: String?) -> Failure? {
    error.map { failure in source.map(failure.at) ?? failure }
  }
}
