public import Catalogue
public import Core

/// A part of an answer, as it arrives.
public enum ModelEvent: Sendable, Hashable {
  /// The head of the HTTP response, which decides about a retry.
  ///
  /// `shouldRetry` is the value of the response's `x-should-retry` field.
  case head(status: Int, shouldRetry: Bool?)
  /// A piece of the text, the reasoning or a tool call.
  case piece(ModelPiece)
  /// The tokens of the complete answer. The last report counts; nil withdraws the earlier ones.
  case usage(Usage?)
  /// The terms that determine the price of the answer; they may precede the usage.
  case terms(ServiceTerms)
  /// A refusal by the model, with the provider's category if it names one.
  case declined(category: String?)
  /// A response of status 400, with the names that its error mentions.
  case rejected(Rejection)
  /// A message for the user about a fault that does not affect the answer.
  case noted(String)
  /// A restart of the answer, which voids all earlier pieces.
  case restart
  /// The complete answer, as the last event.
  case answer(ModelAnswer)
}

/// A piece of an answer.
public enum ModelPiece: Sendable, Hashable {
  /// A piece of text.
  case text(String)
  /// A piece of reasoning.
  case reasoning(String)
  /// A piece of a tool call: its index among the answer's calls, and its name or a piece of its
  /// arguments.
  case toolCall(place: Int, name: String, arguments: String)
}
