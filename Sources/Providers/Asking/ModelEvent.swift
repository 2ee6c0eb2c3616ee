public import Catalogue
public import Core

/// A piece of an answer, as it arrives.
public enum ModelEvent: Sendable, Hashable {
  /// The head of the HTTP answer, of any status: no part of the model's answer, but what decides on
  /// another try. `shouldRetry` is the answer's `x-should-retry`.
  case head(status: Int, shouldRetry: Bool?)
  /// More of what the model says, thinks or calls.
  case piece(ModelPiece)
  /// The tokens of the whole answer, which the provider counts at its end; the last one counts, and
  /// nil takes back what was told before.
  case usage(Usage?)
  /// The terms that price the answer: they may come before the usage.
  case terms(ServiceTerms)
  /// The model declined, for a reason of the provider's; nil where it names none.
  case declined(category: String?)
  /// A 400, and the names that its error mentions.
  case rejected(Rejection)
  /// A sentence for the person who asks, on a fault that costs no part of the answer.
  case noted(String)
  /// The answer begins again: what came before, and there was something, is void.
  case restart
  /// The end: the whole answer.
  case answer(ModelAnswer)
}

/// What of an answer is told as it arrives.
public enum ModelPiece: Sendable, Hashable {
  /// More text.
  case text(String)
  /// More reasoning.
  case reasoning(String)
  /// More of a call: its place among the answer's calls, and the name or a piece of the arguments.
  case toolCall(place: Int, name: String, arguments: String)
}
