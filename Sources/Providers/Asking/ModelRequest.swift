public import Core
public import Extraction

/// A request to a model.
public struct ModelRequest: Sendable, Hashable {
  /// One turn of the conversation.
  public struct Turn: Sendable, Hashable {
    /// The role: `user` or `assistant`.
    public var role: String
    /// The text and its attachments, in order.
    public var parts: [RequestPart]
    /// A model's answer as its provider sent it.
    ///
    /// If the next request goes to the same API, this answer is sent back unchanged. Other APIs get
    /// `parts`.
    public var opaque: Message.Opaque?
    /// The number of parts, from the first, that the provider shall cache; nil for none.
    public var cachedParts: Int?

    /// Creates a turn from parts.
    public init(role: String, parts: [RequestPart], opaque: Message.Opaque? = nil) {
      self.role = role
      self.parts = parts
      self.opaque = opaque
    }

    /// Creates a turn from text.
    public init(role: String, text: String) {
      self.init(role: role, parts: [.text(text)])
    }

    /// The text of the turn.
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
  /// The sampling temperature; nil for the provider's default.
  public var temperature: Double?
  /// The maximum number of output tokens; nil for the model's default.
  public var maximumOutputTokens: Int?
  /// The level of effort; nil for the provider's default.
  public var effort: String?
  /// The material and the question, for the provider that quotes instead of writing.
  ///
  /// If nil, that provider uses the turns.
  public var brief: Brief?
  /// The texts that end the answer when the model writes them.
  public var stopSequences: [String] = []
  /// The tools that the model may call.
  public var tools: [ToolOffer] = []
  /// The rule for tool calls.
  public var toolChoice = ToolChoice.automatic
  /// The required form of the answer.
  public var schema: AnswerSchema?
  /// `true` to store the system prompt in the provider's cache.
  public var cachesSystem = false
  /// The key by which the provider routes related requests to the same cache.
  ///
  /// It is the id of the chat or of the pipeline.
  public var cacheKey: String?
  /// The members to leave out because the model refuses them.
  public var omitted: Set<OptionalMember> = []
  /// `true` to send earlier answers back as their provider sent them, thinking included.
  public var sendsOpaque = true

  /// Creates a request.
  public init(
    system: String, turns: [Turn], temperature: Double? = nil, maximumOutputTokens: Int? = nil,
    brief: Brief? = nil
  ) {
    self.system = system
    self.turns = turns
    self.temperature = temperature
    self.maximumOutputTokens = maximumOutputTokens
    self.brief = brief
  }

  /// The estimated tokens of everything but the request's text: the frame of each turn, the
  /// provider's instructions about tools and schemas, and images.
  ///
  /// The estimate was checked against the recorded requests that docs/decisions.md names.
  public var estimatedOverhead: Int {
    let images = turns.reduce(0) { sum, turn in
      sum + turn.parts.count { if case .image = $0 { true } else { false } }
    }
    return 50 + 5 * turns.count + (tools.isEmpty ? 0 : 700 + 50 * tools.count)
      + (schema == nil ? 0 : 150) + 4800 * images
  }

  /// The size of the input in bytes of UTF-8; its tokens are estimated from this size.
  public var estimatedInputBytes: Int {
    let offered = tools.reduce(schema?.json.utf8.count ?? 0) { sum, tool in
      sum + tool.name.utf8.count + tool.description.utf8.count + tool.inputSchema.utf8.count
    }
    return turns.reduce(system.utf8.count + offered) { sum, turn in
      let parts = turn.parts.reduce(0) { $0 + $1.estimatedBytes }
      // An opaque answer may be longer than its text.
      return sum + max(parts, sendsOpaque ? turn.opaque?.content.utf8.count ?? 0 : 0)
    }
  }
}
