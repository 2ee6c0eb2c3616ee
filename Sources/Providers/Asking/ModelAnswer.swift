public import Core

/// A model's complete answer: blocks in the order of arrival.
public struct ModelAnswer: Sendable, Hashable {
  /// A part of an answer.
  public enum Block: Sendable, Hashable {
    /// A piece of the text that is written for the user.
    case text(String)
    /// Reasoning before the answer, if the provider shows it.
    case reasoning(String)
    /// A request to call a tool.
    case toolCall(ToolRequest)
  }

  /// A request to call a tool.
  public struct ToolRequest: Sendable, Hashable {
    /// The id that the provider gave to the call.
    ///
    /// The result must name the same id.
    public var id: String
    /// The name of the tool.
    public var name: String
    /// The arguments, a JSON text.
    public var arguments: String

    /// Creates a request to call the named tool.
    public init(id: String, name: String, arguments: String) {
      self.id = id
      self.name = name
      self.arguments = arguments
    }
  }

  /// The parts of the answer, in order.
  public var blocks: [Block] = []
  /// The answer as the provider sent it; nil if its plain text may be sent back instead.
  public var opaque: Message.Opaque?
  /// The name of the model as the response reports it.
  public var model = ""
  /// The provider's reason for the end of the answer, such as `end_turn` or `length`.
  public var stopReason: String?
  /// The reason why the embedded default model quoted nothing; nil if the answer has content.
  public var emptyReason: FailureKind?
  /// The tokens of the complete answer; nil if the provider reported none, or impossible counts.
  public var usage: Usage?

  /// Creates an empty answer.
  public init() {}

  /// The text of all blocks.
  public var text: String {
    blocks.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
  }

  /// The reasoning of all blocks.
  public var reasoning: String {
    blocks.reduce(into: "") { if case .reasoning(let text) = $1 { $0 += text } }
  }

  /// The requested tool calls.
  public var toolCalls: [ToolRequest] {
    blocks.compactMap { if case .toolCall(let call) = $0 { call } else { nil } }
  }

  /// `true` if the answer is complete but was ended by a token limit.
  public var isCutByLength: Bool { Self.isLength(stopReason) }

  /// Returns `true` if the given stop reason means that a token limit ended the answer.
  public static func isLength(_ stopReason: String?) -> Bool {
    ["max_tokens", "length", "max_output_tokens", "model_context_window_exceeded"]
      .contains(stopReason)
  }

  /// `true` if no part of the answer has arrived.
  var isEmpty: Bool {
    blocks.allSatisfy { block in
      switch block {
      case .text(let text), .reasoning(let text): text.isEmpty
      case .toolCall: false
      }
    }
  }

  /// Returns `true` if the given counts are plausible for this answer: a text requires output
  /// tokens.
  func isPossible(_ usage: Usage) -> Bool { usage.outputTokens > 0 || isEmpty }

  /// Appends text to the last block if that is text; otherwise adds a text block.
  mutating func append(text: String) {
    if case .text = blocks.last {
      extend(blocks.count - 1, by: text)
    } else {
      blocks.append(.text(text))
    }
  }

  /// Appends reasoning to the last block if that is reasoning; otherwise adds a reasoning block.
  mutating func append(reasoning: String) {
    if case .reasoning = blocks.last {
      extend(blocks.count - 1, by: reasoning)
    } else {
      blocks.append(.reasoning(reasoning))
    }
  }

  /// Adds `piece` to the text, the reasoning or the arguments of the block at `place`.
  mutating func extend(_ place: Int, by piece: String) {
    let block = blocks[place]
    // The block is moved out of the list, so that its text is not copied for each piece.
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
