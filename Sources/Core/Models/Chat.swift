/// A conversation.
///
/// Its turns are `message` records that carry the chat's id.
public struct Chat: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "chat"

  /// The chat's id, a UUIDv7.
  public var id: String
  /// The id of the project that the chat belongs to.
  public var projectId: String?
  /// The title.
  public var title: String?
  /// The instructions given to the models.
  public var system: String?
  /// The id of the tool router's session.
  public var toolRouterSessionId: String?
  /// The time of creation.
  public var createdAt: Timestamp?
  /// The time of the last change.
  public var lastUpdatedAt: Timestamp?
  /// The cursor that requests the remaining turns; nil if all turns follow this record.
  public var nextCursor: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, projectId, title, system, toolRouterSessionId, createdAt, lastUpdatedAt, nextCursor,
      labels
  }

  /// Creates the record.
  public init(id: String) {
    self.id = id
  }
}
