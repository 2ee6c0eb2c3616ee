/// A folder that conversations are about.
public struct Project: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "project"

  /// A UUIDv7.
  public var id: String
  /// What it is called: the folder's name.
  public var name: String
  /// The folder.
  public var localPath: String?
  /// When one of its chats was changed last.
  public var lastUpdatedAt: Timestamp?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
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
