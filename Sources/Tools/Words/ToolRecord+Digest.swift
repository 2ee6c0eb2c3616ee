public import Core

extension ToolRecord {
  /// The SHA-256 of everything that a model or a person learns of the tool: its source, its name,
  /// its description and its schemas.
  public var digest: String {
    let facts = Facts(
      source: source, name: name, title: title, description: description, input: inputSchema,
      output: outputSchema)
    // Only a number that is not finite cannot be encoded, and JSON has none.
    return SHA256Digest.hexadecimal((try? RecordJSON.line(of: facts)) ?? [])
  }

  private struct Facts: Encodable {
    var source: String
    var name: String
    var title: String?
    var description: String?
    var input: JSONValue
    var output: JSONValue?
  }
}
