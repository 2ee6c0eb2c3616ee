/// A gap in a log: events that a reader can no longer read.
public struct Gap: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "gap"

  /// The time at which the gap was detected, in milliseconds since 1970.
  public var ts: Int64
  /// The id of the last event that the reader received.
  public var from: String
  /// The id of the first event after the gap; absent if nothing was logged since.
  public var to: String?
  /// The reason for the gap.
  public var reason: Reason
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case ts, from, to, reason, labels
  }

  /// The reason for a gap: expired events, a replaced log or a slow reader.
  public enum Reason: String, Codable, Sendable, CaseIterable {
    case retention, epoch, slowConsumer
  }

  /// Creates the record.
  public init(
    ts: Int64, from: String, to: String? = nil, reason: Reason
  ) {
    self.ts = ts
    self.from = from
    self.to = to
    self.reason = reason
  }
}
