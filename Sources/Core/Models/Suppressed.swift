/// How many events were left out so that a stream stays readable.
public struct Suppressed: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "suppressed"

  /// The event's id, once a log has stored it.
  public var id: String?
  /// When it was told, in milliseconds since 1970.
  public var ts: Int64
  /// The agent whose events they were; of several agents when absent.
  public var agentId: String?
  /// Their level; they had none when absent.
  public var level: String?
  /// How many they were.
  public var count: Int
  /// Since when, in milliseconds since 1970.
  public var since: Int64
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, ts, agentId, level, count, since, labels
  }

  /// Creates the record.
  public init(
    id: String? = nil, ts: Int64, level: String? = nil, count: Int,
    since: Int64
  ) {
    self.id = id
    self.ts = ts
    self.level = level
    self.count = count
    self.since = since
  }
}
