import Core

/// A source of tools, such as a server.
protocol ToolSource: Sendable {
  /// The name of the source, such as `mcp:time`.
  var name: String { get }

  /// Returns the tools, in the order of the source.
  ///
  /// - Parameter fresh: `true` to read the list now; `false` to use a stored one.
  /// - Returns: The tools.
  /// - Throws: The errors of reading the list.
  func tools(fresh: Bool) async throws(Failure) -> [ToolRecord]

  /// Returns the given tool as it is now, ready to be called.
  ///
  /// - Throws: `NotFound` if the source has no such tool any longer; the errors of reading the list.
  func current(_ name: String) async throws(Failure) -> CurrentTool

  /// Returns the given tool, which need not be in the list; nil if the source has no other tools
  /// than those of its list.
  ///
  /// - Throws: `NotFound` if the source has no such tool; the errors of the source.
  func tool(named name: String) async throws(Failure) -> ToolRecord?

  /// Calls the given tool.
  ///
  /// - Throws: `ToolFailed` if the outcome is unknown; the errors of the source.
  func call(_ tool: ToolRecord, _ arguments: JSONValue) async throws(Failure) -> SourceResult

  /// Ends what the source started.
  func close() async
}

extension ToolSource {
  func tool(named name: String) async throws(Failure) -> ToolRecord? { nil }
}

/// A tool as its source has it now.
struct CurrentTool: Sendable {
  /// The tool.
  var tool: ToolRecord
  /// The difference from the list that was stored before: `is new` or `has changed`; nil for
  /// none.
  var difference: String?
}

/// The result of a call, as the source sent it.
struct SourceResult: Sendable {
  /// The parts of the result.
  var content: [JSONValue]
  /// The result as JSON.
  var structuredContent: JSONValue?
  /// `true` if the tool failed.
  var isError = false
  /// The id by which the source's operator finds the call.
  var logId: String?
}
