/// A tool that can be called.
public struct ToolRecord: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "tool"

  /// The tool's name at its source.
  public var name: String
  /// The source of the tool: `mcp:NAME`, `tavily` or `composio`.
  public var source: String
  /// The tool's name for people.
  public var title: String?
  /// The description that models receive.
  public var description: String?
  /// The JSON Schema of the arguments.
  public var inputSchema: JSONValue
  /// The JSON Schema of the structured content of results.
  public var outputSchema: JSONValue?
  /// The hints of the source about the tool, such as `readOnlyHint`; no permission follows from
  /// them.
  public var annotations: JSONValue?
  /// The time at which the source listed the tool, if the list was not read now.
  public var listedAt: Timestamp?
  /// The permission that a call of the tool has without a question, which only `show` reports:
  /// `option`, `configuration` or `agreement`.
  public var permission: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The members that this version does not know, unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case name, source, title, description, inputSchema, outputSchema, annotations, listedAt
    case permission, labels
  }

  /// Creates the record.
  public init(name: String, source: String, inputSchema: JSONValue) {
    (self.name, self.source, self.inputSchema) = (name, source, inputSchema)
  }

  /// The tool's name with its source: `SOURCE/NAME`.
  public var fullName: String { "\(source)/\(name)" }
}
