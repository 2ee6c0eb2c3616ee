/// The times that people took to respond to alerts about incidents.
public struct ResponseTimes: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "response"

  /// The start of the period.
  public var since: Timestamp
  /// The number of incidents whose first alert is in the period.
  public var alerted: Int
  /// The number of those that were looked at.
  public var seen: Int
  /// The median time from the first alert to the first look, in seconds.
  public var seenMedianSeconds: Double?
  /// The 95th percentile of that time, in seconds.
  public var seenP95Seconds: Double?
  /// The number of those whose agent was controlled, or that a person closed.
  public var controlled: Int
  /// The median time from the first alert to the first control, in seconds.
  public var controlMedianSeconds: Double?
  /// The 95th percentile of that time, in seconds.
  public var controlP95Seconds: Double?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case since, alerted, seen, seenMedianSeconds, seenP95Seconds, controlled, controlMedianSeconds,
      controlP95Seconds, labels
  }

  /// Creates the record with no incidents.
  public init(since: Timestamp) {
    self.since = since
    (alerted, seen, controlled) = (0, 0, 0)
  }
}
