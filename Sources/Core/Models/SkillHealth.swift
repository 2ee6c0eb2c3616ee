/// The error rate and the latency of a skill's or tool's calls.
public struct SkillHealth: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "skillHealth"

  /// The id that events carry as `skillId`.
  public var skillId: String
  /// The display name.
  public var name: String
  /// The length of time that the numbers cover.
  public var window: Window
  /// The number of calls that ended in the window.
  public var calls: Int
  /// The fraction of calls that succeeded, from 0 to 1; absent if there were no calls.
  public var successRate: Double?
  /// The fraction of calls that failed, from 0 to 1; absent if there were no calls.
  public var errorRate: Double?
  /// The 95th percentile of the latency in milliseconds; absent if no call was timed.
  public var p95LatencyMs: Double?
  /// `true` if calls of the skill now fail much more often than before.
  public var isSpiking: Bool
  /// The time at which the last call ended.
  public var updatedAt: Timestamp
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case skillId, name, window, calls, successRate, errorRate, p95LatencyMs, isSpiking, updatedAt,
      labels
  }

  /// The length of time that a summary covers.
  public enum Window: String, Codable, Sendable, CaseIterable {
    case hour, day
  }

  /// Creates the record.
  public init(
    skillId: String, name: String, window: Window, calls: Int, successRate: Double? = nil,
    errorRate: Double? = nil, p95LatencyMs: Double? = nil, isSpiking: Bool, updatedAt: Timestamp
  ) {
    self.skillId = skillId
    self.name = name
    self.window = window
    self.calls = calls
    self.successRate = successRate
    self.errorRate = errorRate
    self.p95LatencyMs = p95LatencyMs
    self.isSpiking = isSpiking
    self.updatedAt = updatedAt
  }
}
