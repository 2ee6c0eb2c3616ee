public import Core

/// A model's whole answer.
public struct ModelAnswer: Sendable, Hashable {
  /// A request to call a tool.
  public struct ToolRequest: Sendable, Hashable {
    /// The provider's id for it.
    public var id: String
    /// The tool's name.
    public var name: String
    /// Its arguments, a JSON text.
    public var arguments: String

    /// Creates the call.
    public init(id: String, name: String, arguments: String) {
      self.id = id
      self.name = name
      self.arguments = arguments
    }
  }

  /// The text.
  public var text = ""
  /// The reasoning, where the provider shows it.
  public var reasoning = ""
  /// The tools it wants called.
  public var toolCalls: [ToolRequest] = []
  /// The model that answered, as it names itself.
  public var model = ""
  /// Why it stopped, in the provider's word, such as `end_turn` or `length`.
  public var stopReason: String?
  /// The tokens of the whole answer; nil when the provider did not say, or said what cannot be.
  public var usage: Usage?

  /// An empty answer.
  public init() {}

  /// Whether nothing was answered yet.
  var isEmpty: Bool { text.isEmpty && reasoning.isEmpty && toolCalls.isEmpty }

  /// Whether the counts can be those of this answer: no word is answered with no token.
  func isPossible(_ usage: Usage) -> Bool { usage.outputTokens > 0 || isEmpty }
}

/// A piece of an answer, as it arrives.
public enum ModelEvent: Sendable, Hashable {
  /// The head of the HTTP answer, of any status: no part of the model's answer, but what decides on
  /// another try. `shouldRetry` is the answer's `x-should-retry`.
  case head(status: Int, shouldRetry: Bool?)
  /// More text.
  case text(String)
  /// The tokens of the whole answer, which the provider counts at its end; the last one counts, and
  /// nil takes back what was told before.
  case usage(Usage?)
  /// The answer begins again: what came before, and there was something, is void.
  case restart
  /// The end: the whole answer.
  case answer(ModelAnswer)
}
