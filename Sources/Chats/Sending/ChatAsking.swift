import Asking
import Core
import Providers

/// The requests that lead to one answer.
///
/// The chosen model is asked first. If it fails, the fallback is asked. If the answer has the wrong
/// form, its repair is requested.
struct ChatAsking: Sendable {
  let client: ModelClient
  /// The account to which all requests are charged.
  let account: CallAccount
  let directory: ModelDirectory
  let fallback: String?
  let form: AnswerForm?
  let repairs: Int
  let report: @Sendable (ChatEvent) throws(Failure) -> Void

  /// Sends requests until there is an answer or a failure.
  ///
  /// - Parameters:
  ///   - request: The first request.
  ///   - choice: The model to use first.
  ///   - begun: The answer as stored before the first request, still empty.
  /// - Returns: The answer in its final state, and the model that wrote it.
  func answer(
    _ request: ModelRequest, _ choice: ModelChoice, _ begun: Message
  ) async -> (Message, ModelChoice) {
    var (request, choice, message) = (request, choice, begun)
    var repairsLeft = form == nil ? 0 : repairs
    message.costUSD = 0
    while true {
      let outcome = await send(request, choice, message.id)
      message.apply(outcome, of: choice)
      if let other = other(after: outcome, choice) {
        choice = other
        message.model = other.name
        continue
      }
      guard let answer = outcome.answer, let problem = form?.problem(of: answer) else { break }
      guard repairsLeft > 0 else {
        message.complete = false
        message.error = AnswerForm.failure(problem, model: choice.name)
        break
      }
      repairsLeft -= 1
      request = form?.again(request, after: answer, problem) ?? request
      if let id = message.id { try? report(.restart(messageId: id)) }
    }
    return (message, choice)
  }

  private func send(
    _ request: ModelRequest, _ choice: ModelChoice, _ id: String?
  ) async -> ModelOutcome {
    await client.answer(
      request, choice: choice, on: account,
      onRestart: { () throws(Failure) in
        if let id { try report(.restart(messageId: id)) }
      }
    ) { (piece) throws(Failure) in
      var delta = Delta(model: choice.name, text: "")
      delta.messageId = id
      switch piece {
      case .text(let text): delta.text = text
      case .reasoning(let text): delta.reasoning = text
      case .toolCall: return
      }
      try report(.delta(delta))
    }
  }

  /// Returns the fallback if the chosen model is unavailable or failed before its first word.
  private func other(after outcome: ModelOutcome, _ choice: ModelChoice) -> ModelChoice? {
    guard let failure = outcome.failure,
      ![.interrupted, .budgetExceeded].contains(failure.code), outcome.partial.isEmpty,
      outcome.firstTokenMs == nil, let fallback, var other = try? directory.choose(fallback),
      other.name != choice.name
    else { return nil }
    // A fallback does not bind the chat to its model.
    other.isNamed = false
    // If the event cannot be reported, the record still names the fallback's model.
    try? report(.fallback(from: choice.name, to: other.name, because: failure))
    return other
  }
}
