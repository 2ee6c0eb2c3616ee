import Core

/// A message of `llm` 0.32 or later, with its parts put together.
struct LLMMessage {
  /// The columns of a part that are JSON.
  struct Payload: Decodable {
    /// A piece of a text: a part of the prompt, or a fragment that is kept once.
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

  /// Identifies the content and all that came before it: threads with one beginning share it.
  var hash: String
  /// The hash of the message before.
  var parent: String?
  /// `user`, `assistant`, `system` or `tool`.
  var role: String
  /// The texts, or the results of tools.
  var text = ""
  /// What the model thought first.
  var reasoning = ""
  /// The tools that the model called.
  var calls: [ToolCall] = []
  /// The files that are kept in the log.
  var files: [AttachedFile] = []

  /// The message as a record, without what only its call tells.
  func record(_ id: String) -> Message {
    Message(role: role, text: text).with {
      $0.id = id
      $0.attachments = files.isEmpty ? nil : files
      $0.reasoning = reasoning.isEmpty ? nil : reasoning
      $0.toolCalls = calls.isEmpty ? nil : calls
    }
  }
}
