public import Core

/// What a model is asked.
public struct ModelRequest: Sendable, Hashable {
  /// One turn of the conversation.
  public struct Turn: Sendable, Hashable {
    /// `user` or `assistant`.
    public var role: String
    /// What was said and what goes with it, in order.
    public var parts: [RequestPart]
    /// An answer of a model as its provider sent it, which goes back unchanged to the same interface;
    /// another one gets the parts.
    public var opaque: Message.Opaque?
    /// Whether all up to the end of this turn is worth keeping in the provider's cache.
    public var endsCachedPart = false

    /// Creates a turn of parts.
    public init(role: String, parts: [RequestPart], opaque: Message.Opaque? = nil) {
      self.role = role
      self.parts = parts
      self.opaque = opaque
    }

    /// Creates a turn of words.
    public init(role: String, text: String) {
      self.init(role: role, parts: [.text(text)])
    }

    /// The words of the turn.
    public var text: String {
      parts.compactMap { part in
        if case .text(let text) = part { text } else { nil }
      }.joined(separator: "\n\n")
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
  /// What the turns were built from, for a provider that quotes instead of writing; nil where it has to
  /// look into the turns.
  public var brief: Brief?
  /// Texts that end the answer where the model writes one.
  public var stopSequences: [String] = []
  /// The tools that the model may call.
  public var tools: [ToolOffer] = []
  /// Whether it may, or must.
  public var toolChoice = ToolChoice.automatic
  /// The form that the answer has to have.
  public var schema: AnswerSchema?
  /// Whether the system prompt is worth keeping in the provider's cache.
  public var cachesSystem = false

  /// Creates a request.
  public init(
    system: String, turns: [Turn], temperature: Double? = nil, maximumOutputTokens: Int = 4096,
    brief: Brief? = nil
  ) {
    self.system = system
    self.turns = turns
    self.temperature = temperature
    self.maximumOutputTokens = maximumOutputTokens
    self.brief = brief
  }

  /// A cautious guess at the tokens of the input: three bytes of UTF-8 each.
  public var estimatedInputTokens: Int {
    let offered = tools.reduce(schema?.json.utf8.count ?? 0) { sum, tool in
      sum + tool.name.utf8.count + tool.description.utf8.count + tool.inputSchema.utf8.count
    }
    let said = turns.reduce(system.utf8.count + offered) { sum, turn in
      sum + turn.parts.reduce(0) { $0 + $1.estimatedBytes }
    }
    return said / 3 + 1
  }
}
