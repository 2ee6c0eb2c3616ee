/// How the calls of a skill or tool go.
public struct SkillHealth: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "skillHealth"

  /// The id that events carry as `skillId`.
  public var skillId: String
  /// What people call it.
  public var name: String
  /// Of which time.
  public var window: Window
  /// How many calls ended.
  public var calls: Int
  /// Which part of them went well, from 0 to 1; absent without calls.
  public var successRate: Double?
  /// Which part of them failed; absent without calls.
  public var errorRate: Double?
  /// What 95 % of them stayed under, in milliseconds; absent where none was timed.
  public var p95LatencyMs: Double?
  /// Whether it fails now much more than it used to.
  public var isSpiking: Bool
  /// When the last call ended.
  public var updatedAt: Timestamp
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case skillId, name, window, calls, successRate, errorRate, p95LatencyMs, isSpiking, updatedAt,
      labels
  }

  /// Of which time a summary is.
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
