public import Catalogue
public import Core

/// A part of an answer, as it arrives.
public enum ModelEvent: Sendable, Hashable {
  /// The head of the HTTP answer, with any status, which decides about a retry.
  ///
  /// `shouldRetry` is the answer's `x-should-retry`.
  case head(status: Int, shouldRetry: Bool?)
  /// A piece of the text, the reasoning or a tool call.
  case piece(ModelPiece)
  /// The tokens of the complete answer; the last report counts, and nil withdraws earlier ones.
  case usage(Usage?)
  /// The terms that determine the price of the answer, possibly before the usage.
  case terms(ServiceTerms)
  /// A refusal by the model, with the provider's category if it names one.
  case declined(category: String?)
  /// A 400, with the names that its error mentions.
  case rejected(Rejection)
  /// A message for the user about a fault that does not affect the answer.
  case noted(String)
  /// A restart of the answer, which voids all earlier pieces.
  case restart
  /// The complete answer, at the end.
  case answer(ModelAnswer)
}

/// A piece of an answer.
public enum ModelPiece: Sendable, Hashable {
  /// A piece of text.
  case text(String)
  /// A piece of reasoning.
  case reasoning(String)
  /// A piece of a call: its index among the answer's calls, and the name or a piece of the
  /// arguments.
  case toolCall(place: Int, name: String, arguments: String)
}
