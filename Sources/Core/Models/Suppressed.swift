/// A report of events that were omitted to keep a stream readable.
public struct Suppressed: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "suppressed"

  /// The id that a log assigns when it stores the report.
  public var id: String?
  /// The time at which the report was made, in milliseconds since 1970.
  public var ts: Int64
  /// The id of the agent whose events were omitted; absent if there were several agents.
  public var agentId: String?
  /// The level of the omitted events; absent if they have none.
  public var level: String?
  /// The number of omitted events.
  public var count: Int
  /// The start of the interval in which events were omitted, in milliseconds since 1970.
  public var since: Int64
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
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
