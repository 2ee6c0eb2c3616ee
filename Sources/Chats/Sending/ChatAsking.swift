import Core
import Providers

/// Asks one model: the fallback where it cannot be asked, and again where the form is wrong.
struct ChatAsking: Sendable {
  let client: ModelClient
  let directory: ModelDirectory
  let fallback: String?
  let form: AnswerForm?
  let repairs: Int
  let tell: @Sendable (ChatEvent) throws(Failure) -> Void

  /// Asks until there is an answer or a failure.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - choice: Who is asked first.
  ///   - begun: The answer as it was begun.
  /// - Returns: The answer as it ended.
  func answer(_ request: ModelRequest, _ choice: ModelChoice, _ begun: Message) async -> Message {
    var (request, choice, message) = (request, choice, begun)
    var repairsLeft = form == nil ? 0 : repairs
    var isFirst = true
    while true {
      let outcome = await ask(request, choice, message.id)
      message.take(outcome, choice, isFirst: isFirst)
      isFirst = false
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
      if let id = message.id { try? tell(.restart(messageId: id)) }
    }
    return message
  }

  private func ask(
    _ request: ModelRequest, _ choice: ModelChoice, _ id: String?
  ) async -> ModelOutcome {
    await client.answer(
      request, choice: choice,
      onRestart: { () throws(Failure) in
        if let id { try tell(.restart(messageId: id)) }
      }
    ) { (piece) throws(Failure) in
      var delta = Delta(model: choice.name, text: "")
      delta.messageId = id
      switch piece {
      case .text(let text): delta.text = text
      case .reasoning(let text): delta.reasoning = text
      case .toolCall: return
      }
      try tell(.delta(delta))
    }
  }

  /// Who is asked in place of a model that could not be, or that failed before its first word.
  private func other(after outcome: ModelOutcome, _ choice: ModelChoice) -> ModelChoice? {
    guard let failure = outcome.failure, failure.code != .interrupted, outcome.partial.isEmpty,
      outcome.firstTokenMs == nil, let fallback, var other = try? directory.choose(fallback),
      other.name != choice.name
    else { return nil }
    // A stopgap is nobody's choice for what follows.
    other.isNamed = false
    // What is not told is in the record all the same: its model is the other one.
    try? tell(.fallback(from: choice.name, to: other.name, because: failure))
    return other
  }
}

extension Message {
  /// Takes over what asking came to, and adds to what it cost.
  fileprivate mutating func take(_ outcome: ModelOutcome, _ choice: ModelChoice, isFirst: Bool) {
    let answer = outcome.answer
    text = answer?.text ?? outcome.partial.text
    let thought = answer?.reasoning ?? outcome.partial.reasoning
    reasoning = thought.isEmpty ? nil : thought
    opaque = answer?.opaque
    let calls = (answer?.toolCalls ?? []).map { call in
      ToolCall(id: call.id, name: call.name, arguments: JSONValue(arguments: call.arguments))
    }
    toolCalls = calls.isEmpty ? nil : calls
    stopReason = answer?.stopReason
    complete = answer != nil
    error = outcome.failure
    if let more = outcome.usage { usage = (usage ?? Usage()) + more }
    let before = isFirst ? 0 : costUSD
    costUSD = before.flatMap { sum in outcome.costUSD.map { sum + $0 } }
    firstTokenMs = firstTokenMs ?? outcome.firstTokenMs
    totalMs = (totalMs ?? 0) + (outcome.totalMs ?? 0)
    createdAt = createdAt ?? .now
    model = choice.name
    modelNamed = choice.namedMark
  }
}
