public import Core

/// What happens while models answer a prompt.
public enum ChatEvent: Sendable {
  /// A model begins, or has more to say.
  case delta(Delta)
  /// What a model has said so far is void: it begins again.
  case restart(messageId: String)
  /// A model is asked in place of another one.
  case fallback(from: String, to: String, because: Failure)
  /// A model wants a tool called.
  case toolCall(ToolCall)
  /// How asking a model ended: the one record of it. `error` tells why it is not complete.
  case ended(Message)
}
