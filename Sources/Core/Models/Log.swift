/// A log line of an agent.
public struct Log: Event, Hashable {
  /// The value of the `type` member.
  public static let type = "log"
  /// `true`, because a log line comes from an agent.
  public static let needsAgent = true

  /// The members that all events share.
  public var head: EventHead
  /// The members that only this type of event has.
  public var body: Body
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that only this type of event has.
  public struct Body: EventBody {
    /// The id of the conversation that the line belongs to.
    public var sessionId: String?
    /// The id of the skill or tool concerned.
    public var skillId: String?
    /// The id of the incident that the line belongs to.
    public var incidentId: String?
    /// The severity.
    public var level: Level
    /// The line's text.
    public var message: String
    /// The number of identical lines that this event represents; absent if it represents one.
    public var count: Int?
    /// The message of the earlier error that caused this error.
    public var cause: String?

    /// The members that this version knows.
    public enum CodingKeys: String, CodingKey, CaseIterable {
      case sessionId, skillId, incidentId, level, message, count, cause
    }
  }

  /// The severity of a log line.
  ///
  /// The cases are in ascending order.
  public enum Level: String, Codable, Sendable, CaseIterable, Comparable {
    case debug, info, warn, error, critical

    /// Returns `true` if the first level is less severe than the second.
    public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// Creates the record from the given head and body.
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
  /// The same bytes as `line()`, from a faster encoder; nil if the record has unknown members.
  public var quickLine: [UInt8]? {
    guard unknown.isEmpty else { return nil }
    var writer = LineWriter()
    writer.write("agentId", head.agentId)
    writer.write("cause", body.cause)
    writer.write("count", body.count)
    writer.write("host", head.host)
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
