import Core
import Providers

/// The conversion of a chat's messages to the turns of a request.
struct ChatTurns {
  /// `true` if the pictures of tools are sent; `false` if they are named.
  let takesPictures: Bool
  /// A function that returns the bytes of a file that was attached to an earlier turn.
  let content: (AttachedFile) throws(Failure) -> [UInt8]?

  /// Returns the given messages as turns, in order.
  ///
  /// A call without a result gets a failure as its result, because providers refuse such a call.
  ///
  /// - Parameter messages: The messages. Interrupted answers, answers at the beginning, and results
  ///   without a call are omitted.
  /// - Returns: The turns.
  /// - Throws: `NotFound` if the bytes of a file are not stored.
  func turns(_ messages: [Message]) throws(Failure) -> [ModelRequest.Turn] {
    var turns: [ModelRequest.Turn] = []
    // An answer whose prompt was deleted cannot begin a conversation.
    for (place, message) in messages.enumerated() {
      switch message.role {
      case "user": try append(message, to: &turns)
      case "assistant" where !turns.isEmpty:
        try append(message, to: &turns)
        let results = messages[(place + 1)...].prefix { $0.role == "tool" }
        turns += self.results(of: message, in: results.flatMap { $0.toolResults ?? [] })
      default: continue
      }
    }
    return turns
  }

  /// Returns the given answer and the results of its calls as turns.
  static func round(
    _ answer: Message, _ results: Message, takesPictures: Bool
  ) throws(Failure) -> [ModelRequest.Turn] {
    let turns = Self(takesPictures: takesPictures) { (_) throws(Failure) in nil }
    var round: [ModelRequest.Turn] = []
    try turns.append(answer, to: &round)
    return round + turns.results(of: answer, in: results.toolResults ?? [])
  }

  private func append(
    _ message: Message, to turns: inout [ModelRequest.Turn]
  ) throws(Failure) {
    var parts: [RequestPart] = message.text.isEmpty ? [] : [.text(message.text)]
    for file in message.attachments ?? [] {
      guard let bytes = try content(file) else {
        throw Failure(
          .notFound, "the contents of '\(file.name)' are not stored here", input: file.name)
      }
      parts.append(AttachedContent(file: file, content: bytes).part)
    }
    parts += message.sentCalls.map { .toolCall($0.request) }
    guard !parts.isEmpty else { return }
    turns.append(ModelRequest.Turn(role: message.role, parts: parts, opaque: message.opaque))
  }

  /// Returns the turn with a result for each call of the given answer; empty if it has no call.
  private func results(of answer: Message, in results: [ToolResult]) -> [ModelRequest.Turn] {
    let ended = answer.sentCalls.map { call in
      results.first { $0.id == call.id }?.settled() ?? .missing(call)
    }
    guard !ended.isEmpty else { return [] }
    let outputs = ended.map { RequestPart.toolResult($0.output(showsPictures: takesPictures)) }
    let pictures = takesPictures ? ended.flatMap { $0.pictures() } : []
    return [ModelRequest.Turn(role: "user", parts: outputs + pictures)]
  }
}

extension Message {
  /// The calls that can be sent to a provider; imported calls may lack an id.
  fileprivate var sentCalls: [ToolCall] {
    role == "assistant" ? (toolCalls ?? []).filter { !$0.id.isEmpty } : []
  }
}

extension ToolCall {
  /// The call as the model made it.
  fileprivate var request: ModelAnswer.ToolRequest {
    let text = if case .string(let text) = arguments { text } else { arguments.jsonText }
    return ModelAnswer.ToolRequest(
      id: id, name: ToolOffer.name(of: name, from: source), arguments: text)
  }
}
