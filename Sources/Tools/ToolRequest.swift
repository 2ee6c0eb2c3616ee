public import Core

/// A call to make.
public struct ToolRequest: Sendable {
  /// The call: its tool, its source and its arguments.
  public var call: ToolCall
  /// The tool as it was listed; nil to look it up by the call's name.
  public var tool: ToolRecord?
  /// `true` if the user named the tool on the command line.
  public var isNamed = false
  /// The chat of the call; nil for none.
  public var chatId: String?
  /// The schema without which the tool is not called; nil for any.
  public var expected: ExpectedSchema?

  /// Creates the request of a call.
  public init(_ call: ToolCall, tool: ToolRecord? = nil) {
    (self.call, self.tool) = (call, tool)
  }
}

/// The outcome of a call.
public struct ToolOutcome: Sendable {
  /// The result.
  public var result: ToolResult
  /// The failure of structured content that does not match its schema; the result is complete.
  public var mismatch: Failure?
}
