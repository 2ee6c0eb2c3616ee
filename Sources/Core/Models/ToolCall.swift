/// A tool that a model wants called.
public struct ToolCall: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "toolCall"

  /// The id that its result must name; a provider's.
  public var id: String
  /// The tool's name.
  public var name: String
  /// Where the tool is from, such as `mcp:files`.
  public var source: String?
  /// What it is called with: an object, or the text that a model wrote in place of one.
  public var arguments: JSONValue
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
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
