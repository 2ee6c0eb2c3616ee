/// The result of a tool call.
public struct ToolResult: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "toolResult"

  /// The id of the call.
  public var id: String
  /// The tool's name.
  public var name: String
  /// The source of the tool, such as `mcp:files`; absent if no source has the tool.
  public var source: String?
  /// The parts of the result, as the Model Context Protocol defines them: each has a `type`, such
  /// as `text` or `image`.
  public var content: [JSONValue]
  /// The result as JSON, if the tool returns such.
  public var structuredContent: JSONValue?
  /// `true` if the tool failed or the call was not sent.
  public var isError: Bool
  /// The milliseconds from the start of the call to its end; absent if the call was not sent.
  public var durationMs: Double?
  /// The id by which the source's operator finds the call.
  public var logId: String?
  /// The permission under which the call was sent: `named`, `option`, `configuration`, `agreement`,
  /// `once`, `chat`, `always` or `gate`; absent if it was not sent.
  public var consent: String?
  /// The reason why there is no result of the tool.
  public var error: Failure?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The members that this version does not know, unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, source, content, structuredContent, isError, durationMs, logId, consent, error,
      labels
  }

  /// Creates the record.
  public init(id: String, name: String, content: [JSONValue] = [], isError: Bool = false) {
    (self.id, self.name, self.content, self.isError) = (id, name, content, isError)
  }

  /// `true` if the call has ended: its result arrived, or it is known why there is none.
  public var hasEnded: Bool { durationMs != nil || error != nil }

  /// The result's texts, one after the other.
  public var text: String {
    content.compactMap { part in
      guard case .object(let members) = part, case .string(let text) = members["text"] else {
        return nil
      }
      return text
    }.joined(separator: "\n")
  }
}
