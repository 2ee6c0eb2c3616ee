/// A project: a folder, and the conversations about it.
public struct Project: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "project"

  /// The project's id, a UUIDv7.
  public var id: String
  /// The display name, which is the folder's name.
  public var name: String
  /// The folder's path.
  public var localPath: String?
  /// The time at which one of the project's chats last changed.
  public var lastUpdatedAt: Timestamp?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, localPath, lastUpdatedAt, labels
  }

  /// Creates the record.
  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}
