import Core

/// A message of `llm` 0.32 or later, assembled from its parts.
struct LLMMessage {
  /// The contents of a part's JSON columns.
  struct Payload: Decodable {
    /// A piece of a text: literal text, or a reference to a shared fragment.
    struct Piece: Decodable {
      var literal: String?
      var fragment: Int64?
    }

    private enum CodingKeys: String, CodingKey {
      case name, arguments, output, text
      case toolCallId = "tool_call_id"
      case textRef = "text_ref"
    }

    var name: String?
    var arguments: JSONValue?
    var toolCallId: String?
    var output: String?
    var text: String?
    var textRef: [Piece]?
  }

  /// The hash of this message and all earlier ones.
  ///
  /// Threads with the same beginning share it.
  var hash: String
  /// The hash of the previous message; nil for the first one.
  var parent: String?
  /// `user`, `assistant`, `system` or `tool`.
  var role: String
  /// The text.
  var text = ""
  /// The model's reasoning.
  var reasoning = ""
  /// The tools that the model called.
  var calls: [ToolCall] = []
  /// The results of tools.
  var results: [ToolResult] = []
  /// The attached files whose bytes are known.
  var files: [AttachedFile] = []

  /// Returns the message as a record with the given id.
  ///
  /// The data of its call is added later.
  func record(_ id: String) -> Message {
    Message(role: role, text: text).with {
      $0.id = id
      $0.attachments = files.isEmpty ? nil : files
      $0.reasoning = reasoning.isEmpty ? nil : reasoning
      $0.toolCalls = calls.isEmpty ? nil : calls
      $0.toolResults = results.isEmpty ? nil : results
    }
  }
}
