public import Core

/// An event that occurs while models answer a prompt.
public enum ChatEvent: Sendable {
  /// The start of an answer, or its next piece.
  case delta(Delta)
  /// A restart of an answer, which voids the pieces reported so far.
  case restart(messageId: String)
  /// A fallback to another model.
  case fallback(from: String, to: String, because: Failure)
  /// A tool call that a model requests.
  case toolCall(ToolCall)
  /// The end of an answer.
  ///
  /// Its `error` explains an incomplete answer. No other event contains the answer's record.
  case ended(Message)
}
