/// The result of a stage.
public struct Artifact: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "artifact"

  /// The artifact's id, a UUIDv7.
  public var id: String
  /// The id of the pipeline that produced the artifact.
  public var pipelineId: String?
  /// The id of the stage that produced the artifact.
  public var stageId: String?
  /// The project into whose folder the artifact's file is exported.
  public var project: String?
  /// The role that produced the artifact.
  public var role: Role
  /// The heading, made of the role and the project.
  public var title: String
  /// The kind of content, which is always `text`.
  public var kind = "text"
  /// The result, as Markdown.
  public var content: String
  /// The model that wrote the content.
  public var model: String?
  /// The model's stop reason; nil if the answer ended normally.
  public var stopReason: String?
  /// The reason why the artifact has no findings, `noSources` or `noQuotes`; nil if it has some.
  public var emptyReason: String?
  /// The time at which the artifact was finished.
  public var createdAt: Timestamp
  /// The path of the file that the artifact was exported to.
  public var filePath: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
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
  /// Decodes an artifact; its role, title, content and creation time are required.
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
