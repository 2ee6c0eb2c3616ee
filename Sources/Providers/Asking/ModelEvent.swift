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
  /// The tokens of the complete answer.
  ///
  /// Each report replaces the previous one; nil withdraws it.
  case usage(Usage?)
  /// The terms of service that determine the price of the answer.
  ///
  /// They may arrive before the usage.
  case terms(ServiceTerms)
  /// A refusal by the model, with the provider's category if it names one.
  case declined(category: String?)
  /// A response with status 400.
  ///
  /// The value holds the names that its error mentions.
  case rejected(Rejection)
  /// A message for the user about a minor fault: the answer is not affected.
  case notice(String)
  /// A restart of the answer, which voids all earlier pieces.
  case restart
  /// The complete answer.
  ///
  /// This is the last event.
  case answer(ModelAnswer)
}

/// A piece of an answer.
public enum ModelPiece: Sendable, Hashable {
  /// A piece of text.
  case text(String)
  /// A piece of reasoning.
  case reasoning(String)
  /// A piece of a tool call.
  ///
  /// `place` is the index of the call among the answer's calls. The piece is the tool's name, or a
  /// part of the arguments.
  case toolCall(place: Int, name: String, arguments: String)
}
