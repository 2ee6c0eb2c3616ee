/// A line that an agent says about its work.
public struct Log: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "log"

  /// The event's id, once a log has stored it.
  public var id: String?
  /// The producer's own id, by which an event that comes twice is known.
  public var srcId: String?
  /// When it was said, in milliseconds since 1970.
  public var ts: Int64
  /// The swarm of the agent; of a run, the pipeline.
  public var swarmId: String?
  /// Who says it; of a run, the stage, and of the run itself, the pipeline.
  public var agentId: String
  /// The conversation it is part of.
  public var sessionId: String?
  /// The skill or tool it is about.
  public var skillId: String?
  /// The incident it belongs to.
  public var incidentId: String?
  /// How much it matters.
  public var level: Level
  /// The line.
  public var message: String
  /// How many lines of the same words it stands for; absent for one.
  public var count: Int?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, srcId, ts, swarmId, agentId, sessionId, skillId, incidentId, level, message, count,
      labels
  }

  /// How much a line matters, from little to much.
  public enum Level: String, Codable, Sendable, CaseIterable, Comparable {
    case debug, info, warn, error, critical

    /// Whether the first level matters less.
    public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// Creates the record.
  public init(
    id: String? = nil, srcId: String? = nil, ts: Int64, swarmId: String? = nil, agentId: String,
    sessionId: String? = nil, skillId: String? = nil, incidentId: String? = nil, level: Level,
    message: String, count: Int? = nil, labels: [String: String]? = nil
  ) {
    self.id = id
    self.srcId = srcId
    self.ts = ts
    self.swarmId = swarmId
    self.agentId = agentId
    self.sessionId = sessionId
    self.skillId = skillId
    self.incidentId = incidentId
    self.level = level
    self.message = message
    self.count = count
    self.labels = labels
  }
}

extension Log {
  /// The line that `line()` gives; nil where there are members that are not known.
  public var quickLine: [UInt8]? {
    guard unknown.isEmpty else { return nil }
    var writer = LineWriter()
    writer.write("agentId", agentId)
    writer.write("count", count)
    writer.write("id", id)
    writer.write("incidentId", incidentId)
    writer.write("labels", labels)
    writer.write("level", level.rawValue)
    writer.write("message", message)
    writer.write("sessionId", sessionId)
    writer.write("skillId", skillId)
    writer.write("srcId", srcId)
    writer.write("swarmId", swarmId)
    writer.write("ts", ts)
    writer.write("type", Self.type)
    return writer.line
  }
}
