/// A tool call that a model requested.
public struct ToolCall: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "toolCall"

  /// The id that the provider assigned to the call.
  ///
  /// The tool's result must name it.
  public var id: String
  /// The tool's name.
  public var name: String
  /// The origin of the tool, such as `mcp:files` for an MCP server.
  public var source: String?
  /// The arguments as an object; the model's text if it did not write an object.
  public var arguments: JSONValue
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, source, arguments, labels
  }

  /// Creates the record.
  public init(id: String, name: String, arguments: JSONValue) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}
