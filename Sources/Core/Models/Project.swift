/// A folder that conversations are about.
public struct Project: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "project"

  /// The id, a UUIDv7.
  public var id: String
  /// The display name: the folder's name.
  public var name: String
  /// The folder.
  public var localPath: String?
  /// The time of the last change to one of its chats.
  public var lastUpdatedAt: Timestamp?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The members that this version does not know, unchanged.
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
