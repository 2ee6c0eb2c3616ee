/// What a model is asked.
public struct ModelRequest: Sendable, Hashable {
  /// One turn of the conversation.
  public struct Turn: Sendable, Hashable {
    /// `user` or `assistant`.
    public var role: String
    /// What was said.
    public var text: String

    /// Creates the turn.
    public init(role: String, text: String) {
      self.role = role
      self.text = text
    }
  }

  /// The system prompt; empty for none.
  public var system: String
  /// The turns, the newest last.
  public var turns: [Turn]
  /// The sampling temperature; nil leaves it to the provider.
  public var temperature: Double?
  /// The most tokens that may be answered.
  public var maximumOutputTokens: Int
  /// What the turns were built from, for a provider that quotes instead of writing.
  public var brief: Brief

  /// Creates a request.
  public init(
    system: String, turns: [Turn], temperature: Double? = nil, maximumOutputTokens: Int = 4096,
    brief: Brief
  ) {
    self.system = system
    self.turns = turns
    self.temperature = temperature
    self.maximumOutputTokens = maximumOutputTokens
    self.brief = brief
  }

  /// A cautious guess at the tokens of the input: three bytes of UTF-8 each.
  public var estimatedInputTokens: Int {
    (turns.reduce(system.utf8.count) { $0 + $1.text.utf8.count }) / 3 + 1
  }
}
