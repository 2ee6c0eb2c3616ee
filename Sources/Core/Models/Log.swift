/// A line that an agent says about its work.
public struct Log: Event, Hashable {
  /// The value of the `type` member.
  public static let type = "log"
  /// Somebody says or does it.
  public static let needsAgent = true

  /// What all events share.
  public var head: EventHead
  /// What it tells beside its head.
  public var body: Body
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// What it tells beside its head.
  public struct Body: EventBody {
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
    /// The message of the earlier error that this one follows from.
    public var cause: String?

    /// The members that this version knows.
    public enum CodingKeys: String, CodingKey, CaseIterable {
      case sessionId, skillId, incidentId, level, message, count, cause
    }
  }

  /// How much a line matters, from little to much.
  public enum Level: String, Codable, Sendable, CaseIterable, Comparable {
    case debug, info, warn, error, critical

    /// Whether the first level matters less.
    public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// Puts a record together.
  public init(head: EventHead, body: Body) {
    self.head = head
    self.body = body
  }

  /// Creates the record.
  public init(ts: Int64, agentId: String, level: Level, message: String) {
    self.init(
      head: EventHead(ts: ts, agentId: agentId), body: Body(level: level, message: message))
  }
}

extension Log {
  /// The line that `line()` gives; nil where there are members that are not known.
  public var quickLine: [UInt8]? {
    guard unknown.isEmpty else { return nil }
    var writer = LineWriter()
    writer.write("agentId", head.agentId)
    writer.write("cause", body.cause)
    writer.write("count", body.count)
    writer.write("id", head.id)
    writer.write("incidentId", body.incidentId)
    writer.write("labels", head.labels)
    writer.write("level", body.level.rawValue)
    writer.write("message", body.message)
    writer.write("sessionId", body.sessionId)
    writer.write("skillId", body.skillId)
    writer.write("srcId", head.srcId)
    writer.write("swarmId", head.swarmId)
    writer.write("ts", head.ts)
    writer.write("type", Self.type)
    return writer.line
  }
}
