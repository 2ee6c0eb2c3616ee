/// The result of a stage.
public struct Artifact: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "artifact"

  /// A UUIDv7.
  public var id: String
  /// The pipeline it came from.
  public var pipelineId: String?
  /// The stage it came from.
  public var stageId: String?
  /// The project its file goes to.
  public var project: String?
  /// Who made it.
  public var role: Role
  /// A heading: the role and the project.
  public var title: String
  /// What the content is; `text`.
  public var kind = "text"
  /// The result, as Markdown.
  public var content: String
  /// The model that wrote it.
  public var model: String?
  /// Why the model stopped, if not because it was done.
  public var stopReason: String?
  /// The reason for which it says nothing, `noSources` or `noQuotes`; nil if it does.
  public var emptyReason: String?
  /// When it was finished.
  public var createdAt: Timestamp
  /// The file it was exported to.
  public var filePath: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, pipelineId, stageId, project, role, title, kind, content, model, stopReason,
      emptyReason, createdAt, filePath, labels
  }

  /// Creates the record.
  public init(id: String, role: Role, title: String, content: String, createdAt: Timestamp) {
    self.id = id
    self.role = role
    self.title = title
    self.content = content
    self.createdAt = createdAt
  }
}

extension Artifact {
  /// Reads an artifact; one that another program wrote needs a role, a title, content and an instant.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func optional<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
      try container.decodeIfPresent(Value.self, forKey: key)
    }
    id = try container.decode(String.self, forKey: .id)
    pipelineId = try optional(.pipelineId)
    stageId = try optional(.stageId)
    project = try optional(.project)
    role = try container.decode(Role.self, forKey: .role)
    title = try container.decode(String.self, forKey: .title)
    kind = try optional(.kind) ?? "text"
    content = try container.decode(String.self, forKey: .content)
    model = try optional(.model)
    stopReason = try optional(.stopReason)
    emptyReason = try optional(.emptyReason)
    createdAt = try container.decode(Timestamp.self, forKey: .createdAt)
    filePath = try optional(.filePath)
    labels = try optional(.labels)
  }
}
