package import Core

/// The calls of one answer, run side by side, and the turn that records their results.
///
/// Every change of the turn is stored before anything follows from it: the permission before the
/// call is sent, and the result before the model sees it.
package actor ToolRound {
  /// The receivers of a round's changes.
  package struct Receivers: Sendable {
    /// Stores the turn, with the place of the call that is about to be sent.
    ///
    /// If this function throws, that call is not sent.
    let store: @Sendable (Message, _ place: Int?) throws(Failure) -> Void
    /// Returns the given result in the form in which it is stored and sent to the model.
    let fit: @Sendable (ToolResult) -> ToolResult
    /// Reports the start of a call.
    ///
    /// If this function throws, the call is not sent.
    let began: @Sendable (ToolCall) throws(Failure) -> Void
    /// Reports the end of a call.
    let ended: @Sendable (ToolResult) -> Void

    package init(
      store: @escaping @Sendable (Message, _ place: Int?) throws(Failure) -> Void,
      fit: @escaping @Sendable (ToolResult) -> ToolResult,
      began: @escaping @Sendable (ToolCall) throws(Failure) -> Void,
      ended: @escaping @Sendable (ToolResult) -> Void
    ) {
      (self.store, self.fit, self.began, self.ended) = (store, fit, began, ended)
    }
  }

  private let calls: [ToolCall]
  private let bench: any ToolBench
  private let receivers: Receivers
  private var turn: Message

  /// Creates a round.
  ///
  /// - Parameters:
  ///   - calls: The calls, as the bench named them.
  ///   - turn: The turn of role `tool`, as ``Message/init(resultsOf:)`` creates it.
  ///   - bench: The tools.
  ///   - receivers: The receivers of changes.
  package init(
    _ calls: [ToolCall], in turn: Message, on bench: any ToolBench, receivers: Receivers
  ) {
    (self.calls, self.turn, self.bench, self.receivers) = (calls, turn, bench, receivers)
  }

  /// Runs all calls and waits for them.
  ///
  /// - Returns: The turn with all results. Its `error` is set if a result could not be stored, if
  ///   the task was cancelled, or if a person stopped the calls.
  package func run() async -> Message {
    await withTaskGroup(of: Void.self) { group in
      for place in calls.indices { group.addTask { await self.run(place) } }
    }
    turn.complete = true
    if turn.error == nil, Task.isCancelled {
      turn.error = Failure(.interrupted, "interrupted during the tool calls")
    }
    return turn
  }

  private func run(_ place: Int) async {
    let call = calls[place]
    let began = ContinuousClock.now
    var result: ToolResult
    do throws(Failure) {
      try Self.check(call)
      try receivers.began(call)
      result = await bench.call(call, in: turn.chatId) { (consent) async throws(Failure) in
        try await self.begin(place, consent)
      }
    } catch {
      result = ToolResult(id: call.id, name: call.name, isError: true)
      result.error = error
    }
    (result.id, result.name, result.source) = (call.id, call.name, call.source)
    if !result.hasEnded { result.durationMs = began.duration(to: .now) / .milliseconds(1) }
    end(place, result)
  }

  private func begin(_ place: Int, _ consent: String) throws(Failure) {
    turn.toolResults?[place].consent = consent
    do throws(Failure) {
      try receivers.store(turn, place)
    } catch {
      turn.toolResults?[place].consent = nil
      throw error
    }
  }

  private func end(_ place: Int, _ result: ToolResult) {
    let result = receivers.fit(result)
    turn.toolResults?[place] = result
    do throws(Failure) {
      try keep(place)
    } catch {
      turn.error = turn.error ?? error
    }
    if result.error?.kind == .stoppedByPerson { turn.error = turn.error ?? result.error }
    receivers.ended(turn.toolResults?[place] ?? result)
  }

  /// Stores the turn; a result that is too large to be stored is replaced by a failure.
  private func keep(_ place: Int) throws(Failure) {
    do throws(Failure) {
      try receivers.store(turn, nil)
    } catch {
      guard error.kind == .tooLarge else { throw error }
      turn.toolResults?[place].content = []
      turn.toolResults?[place].structuredContent = nil
      turn.toolResults?[place].isError = true
      turn.toolResults?[place].error = Failure(
        .toolFailed, "the result is too large to be stored", kind: .tooLarge)
      try receivers.store(turn, nil)
    }
  }

  /// Rejects a call that no tool can answer.
  private static func check(_ call: ToolCall) throws(Failure) {
    let name = Visible.line(call.name)
    guard call.source != nil else {
      throw Failure(.notFound, "there is no tool '\(name)'", input: call.name)
    }
    guard case .object = call.arguments else {
      throw Failure(
        .badInput, "the arguments of '\(name)' are not a JSON object", input: call.name)
    }
  }
}

extension Message {
  /// Creates the turn that records the results of the given calls, none of which has begun.
  package init(resultsOf calls: [ToolCall]) {
    self.init(role: "tool", text: "")
    id = Identifier.make()
    createdAt = .now
    complete = false
    toolResults = calls.map { call in
      var result = ToolResult(id: call.id, name: call.name, isError: true)
      result.source = call.source
      return result
    }
  }
}

extension FailureKind {
  /// The failure of a call because a person stopped all further calls.
  fileprivate static let stoppedByPerson = Self(rawValue: "stopped")
}
