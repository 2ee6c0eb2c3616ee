public import Core

/// An event that occurs while models answer a prompt.
public enum ChatEvent: Sendable {
  /// The start of an answer, or its next piece.
  case delta(Delta)
  /// A restart of an answer, which voids the pieces reported so far.
  case restart(messageId: String)
  /// A fallback to another model.
  case fallback(from: String, to: String, because: Failure)
  /// A tool call that a model requests; if tools are offered, its start.
  case toolCall(ToolCall)
  /// The end of a tool call.
  case toolResult(ToolResult)
  /// The end of an answer, with its only record, whose `error` explains an incomplete answer.
  case ended(Message)
}
