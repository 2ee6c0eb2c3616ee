public import Core

/// The schema that a person expects a tool to have.
public struct ExpectedSchema: Sendable {
  private let input: JSONValue
  /// The schema of structured content, if the file is a `tool` record.
  private let output: JSONValue??
  private let file: String

  /// Reads the schema from a file: a schema of arguments, or a `tool` record.
  ///
  /// - Throws: `BadInput` if the file is not JSON.
  public init(_ bytes: [UInt8], file: String) throws(Failure) {
    guard let value = JSONValue(json: bytes) else {
      throw Failure(.badInput, "'\(file)' is not JSON", input: file)
    }
    self.file = file
    if value["type"]?.text == ToolRecord.type, let schema = value["inputSchema"] {
      (input, output) = (schema, value["outputSchema"])
    } else {
      (input, output) = (value, nil)
    }
  }

  /// Refuses the given tool if its schemas differ.
  ///
  /// - Throws: `Conflict` of kind `otherSchema`.
  func check(_ tool: ToolRecord) throws(Failure) {
    guard tool.inputSchema != input || (output.map { $0 != tool.outputSchema } ?? false) else {
      return
    }
    throw Failure(
      .conflict, "the schema of '\(Visible.line(tool.fullName))' is not that of '\(file)'",
      kind: .otherSchema, input: tool.fullName, nextStep: "compare it with 'tool-call show'")
  }
}
