public import Core

/// A prompt in a session.
public struct SessionPrompt: Sendable, Hashable {
  /// The id that the agent gave the message; nil if it gives prompts none.
  public var id: String?
  /// The text, cut at the limit.
  public var text: String
  /// The pictures and documents.
  public var files: [SessionFile]
  /// `true` if the agent had not begun to work on the prompt when the file ended.
  public var isWaiting = false

  /// Creates a prompt.
  public init(id: String? = nil, text: String, files: [SessionFile] = []) {
    (self.id, self.text, self.files) = (id, text, files)
  }

  /// Returns `true` if the given prompt is a command without arguments, such as `/model`.
  public static func isCommand(_ text: String) -> Bool {
    text.hasPrefix("/") && text.utf8.count > 1
      && text.dropFirst().allSatisfy { $0.isLetter || $0.isNumber || "-_:".contains($0) }
  }
}

/// A file that a prompt contains.
public struct SessionFile: Sendable, Hashable {
  /// The media type, as the agent states it.
  public var contentType: String
  /// The content in base64.
  public var data: String

  /// Creates a file.
  public init(contentType: String, data: String) {
    (self.contentType, self.data) = (contentType, data)
  }
}

/// An answer of a model, or a part of one.
public struct SessionAnswer: Sendable, Hashable {
  /// The id of the answer, unique among all sessions of the agent.
  ///
  /// All parts of one answer have the same id.
  public var id: String
  /// The model.
  public var model: String?
  /// The text, cut at the limit.
  public var text = ""
  /// The model's reasoning, as far as the transcript contains it, cut at the limit.
  public var reasoning = ""
  /// The tool calls.
  public var toolCalls: [SessionToolCall] = []
  /// The reason why the model stopped.
  public var stopReason: String?
  /// The reason why the answer is not complete; nil if it is.
  public var failure: Failure?
  /// `true` if this is the whole answer so far, which replaces its earlier parts.
  public var isWhole = false

  /// Creates an empty part of the answer with the given id.
  public init(id: String, model: String? = nil) { (self.id, self.model) = (id, model) }

  /// `true` if the part contains nothing that people read.
  public var isEmpty: Bool {
    text.isEmpty && reasoning.isEmpty && toolCalls.isEmpty && stopReason == nil && failure == nil
  }
}

/// A tool call in an answer.
public struct SessionToolCall: Sendable, Hashable {
  /// The id of the call.
  public var id: String
  /// The tool's name.
  public var name: String
  /// The arguments; nil if texts are not read.
  public var arguments: JSONValue?

  /// Creates a tool call.
  public init(id: String, name: String, arguments: JSONValue? = nil) {
    (self.id, self.name, self.arguments) = (id, name, arguments)
  }
}

/// The result of a tool call.
public struct SessionResult: Sendable, Hashable {
  /// The id of the tool call.
  public var call: String
  /// The text, cut at the limit, which a last sentence then reports.
  public var text: String
  /// `true` if the tool failed, or if a person refused the call.
  public var isError: Bool
  /// The kind of the error, as the program states it; nil if it states none.
  public var error: String?
  /// `true` if a permission refused the call.
  public var isRefused = false

  /// Creates a result.
  public init(call: String, text: String, isError: Bool) {
    (self.call, self.text, self.isError) = (call, text, isError)
  }
}

/// A compaction of a session.
public struct SessionCompaction: Sendable, Hashable {
  /// The cause, such as `auto` or `manual`; nil if unknown.
  public var trigger: String?
  /// The size of the context before, in tokens; nil if unknown.
  public var tokens: Int?
  /// The summary; nil if it follows in a later entry or is not stored.
  public var summary: String?

  /// Creates a compaction.
  public init(trigger: String? = nil, tokens: Int? = nil, summary: String? = nil) {
    (self.trigger, self.tokens, self.summary) = (trigger, tokens, summary)
  }
}
