public import Core

/// A model's whole answer: blocks in the order in which they came.
public struct ModelAnswer: Sendable, Hashable {
  /// A part of an answer.
  public enum Block: Sendable, Hashable {
    /// What it says.
    case text(String)
    /// What it thought first, where the provider shows it.
    case reasoning(String)
    /// A tool that it wants called.
    case toolCall(ToolRequest)
  }

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

  /// Its parts, in order.
  public var blocks: [Block] = []
  /// The answer as the provider sent it, where more than its words must go back unchanged.
  public var opaque: Message.Opaque?
  /// The model that answered, as it names itself.
  public var model = ""
  /// Why it stopped, in the provider's word, such as `end_turn` or `length`.
  public var stopReason: String?
  /// `true` if the embedded default found nothing to quote.
  public var quotesNothing = false
  /// The tokens of the whole answer; nil when the provider did not say, or said what cannot be.
  public var usage: Usage?

  /// An empty answer.
  public init() {}

  /// The text of all blocks.
  public var text: String {
    blocks.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
  }

  /// The reasoning of all blocks.
  public var reasoning: String {
    blocks.reduce(into: "") { if case .reasoning(let text) = $1 { $0 += text } }
  }

  /// The tools that it wants called.
  public var toolCalls: [ToolRequest] {
    blocks.compactMap { if case .toolCall(let call) = $0 { call } else { nil } }
  }

  /// Whether it is whole but ends at a limit of tokens.
  public var isCutByLength: Bool { Self.isLength(stopReason) }

  /// Whether a provider's word for why it stopped is one for a limit of tokens.
  public static func isLength(_ stopReason: String?) -> Bool {
    ["max_tokens", "length", "max_output_tokens", "model_context_window_exceeded"]
      .contains(stopReason)
  }

  /// Whether nothing was answered yet.
  var isEmpty: Bool {
    blocks.allSatisfy { block in
      switch block {
      case .text(let text), .reasoning(let text): text.isEmpty
      case .toolCall: false
      }
    }
  }

  /// Whether the counts can be those of this answer: no word is answered with no token.
  func isPossible(_ usage: Usage) -> Bool { usage.outputTokens > 0 || isEmpty }

  /// Adds to the last block where it is text, else begins one.
  mutating func append(text: String) {
    if case .text = blocks.last {
      extend(blocks.count - 1, by: text)
    } else {
      blocks.append(.text(text))
    }
  }

  /// Adds to the last block where it is reasoning, else begins one.
  mutating func append(reasoning: String) {
    if case .reasoning = blocks.last {
      extend(blocks.count - 1, by: reasoning)
    } else {
      blocks.append(.reasoning(reasoning))
    }
  }

  /// Adds to the text, the reasoning or the arguments of a block.
  mutating func extend(_ place: Int, by piece: String) {
    let block = blocks[place]
    // Taken out, so that what is there is not copied for each piece.
    blocks[place] = .text("")
    switch consume block {
    case .text(var whole):
      whole += piece
      blocks[place] = .text(whole)
    case .reasoning(var whole):
      whole += piece
      blocks[place] = .reasoning(whole)
    case .toolCall(var call):
      call.arguments += piece
      blocks[place] = .toolCall(call)
    }
  }
}
