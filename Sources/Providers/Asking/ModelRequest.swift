public import Core
public import Extraction

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
    /// The number of leading parts up to which the request is worth keeping in the provider's cache;
    /// nil for none.
    public var cachedParts: Int?

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
  /// The most tokens that may be answered; nil for the usual limit of the model.
  public var maximumOutputTokens: Int?
  /// The level of effort; nil leaves it to the provider.
  public var effort: String?
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
  /// The key under which a provider routes requests to one cache: an id of a chat or a pipeline.
  public var cacheKey: String?
  /// The members that are left out, since the model refuses them.
  public var omitted: Set<OptionalMember> = []
  /// Whether answers go back as their provider sent them, thinking included.
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

  /// The tokens that a request has beside those of its text: the frame of each turn, what a provider
  /// tells a model about tools and schemas, and pictures, cautiously.
  ///
  /// The figures cover the recorded requests that docs/decisions.md names.
  public var estimatedOverhead: Int {
    let images = turns.reduce(0) { sum, turn in
      sum + turn.parts.count { if case .image = $0 { true } else { false } }
    }
    return 50 + 5 * turns.count + (tools.isEmpty ? 0 : 700 + 50 * tools.count)
      + (schema == nil ? 0 : 150) + 4800 * images
  }

  /// The text of the input in bytes of UTF-8, by which its tokens are estimated.
  public var estimatedInputBytes: Int {
    let offered = tools.reduce(schema?.json.utf8.count ?? 0) { sum, tool in
      sum + tool.name.utf8.count + tool.description.utf8.count + tool.inputSchema.utf8.count
    }
    return turns.reduce(system.utf8.count + offered) { sum, turn in
      let parts = turn.parts.reduce(0) { $0 + $1.estimatedBytes }
      // What goes back unchanged may be longer than its words.
      return sum + max(parts, sendsOpaque ? turn.opaque?.content.utf8.count ?? 0 : 0)
    }
  }
}
