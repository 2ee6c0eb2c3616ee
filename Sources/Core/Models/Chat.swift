/// A conversation; its turns are messages that name it.
public struct Chat: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "chat"

  /// A UUIDv7.
  public var id: String
  /// The project it belongs to.
  public var projectId: String?
  /// What it is about.
  public var title: String?
  /// The instructions that the models were given.
  public var system: String?
  /// The session of a tool router.
  public var toolRouterSessionId: String?
  /// When it was begun.
  public var createdAt: Timestamp?
  /// When it was changed last.
  public var lastUpdatedAt: Timestamp?
  /// Where its turns go on, when not all of them follow.
  public var nextCursor: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
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
