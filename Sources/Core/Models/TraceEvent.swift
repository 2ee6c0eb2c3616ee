/// The beginning, the progress or the end of something an agent does: a span as it happens.
///
/// Names and attributes are those of OpenTelemetry's conventions for generative AI (v1.41.1).
public struct TraceEvent: Event, Hashable {
  /// The value of the `type` member.
  public static let type = "traceEvent"
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
    /// 32 hexadecimal digits that all spans of one run share.
    public var traceId: String?
    /// 16 hexadecimal digits.
    public var spanId: String
    /// The span that it is a part of.
    public var parentSpanId: String?
    /// Which part of the span this is; absent of an event without duration.
    public var phase: Phase?
    /// What is done, such as `invoke_agent`.
    public var name: String
    /// What else is to be known.
    public var attrs: [String: JSONValue]

    /// The members that this version knows.
    public enum CodingKeys: String, CodingKey, CaseIterable {
      case sessionId, skillId, incidentId, traceId, spanId, parentSpanId, phase, name, attrs
    }
  }

  /// A part of a span.
  public enum Phase: String, Codable, Sendable, CaseIterable {
    case start, progress, end
  }

  /// Puts a record together.
  public init(head: EventHead, body: Body) {
    self.head = head
    self.body = body
  }

  /// Creates the record.
  public init(
    ts: Int64, agentId: String, spanId: String, name: String, attrs: [String: JSONValue] = [:]
  ) {
    self.init(
      head: EventHead(ts: ts, agentId: agentId),
      body: Body(spanId: spanId, name: name, attrs: attrs))
  }
}

extension TraceEvent {
  /// The line that `line()` gives; nil where there are members that are not known, and for numbers
  /// that cannot be written.
  public var quickLine: [UInt8]? {
    guard unknown.isEmpty else { return nil }
    var writer = LineWriter()
    writer.write("agentId", head.agentId)
    guard (try? writer.write("attrs", body.attrs)) != nil else { return nil }
    writer.write("id", head.id)
    writer.write("incidentId", body.incidentId)
    writer.write("labels", head.labels)
    writer.write("name", body.name)
    writer.write("parentSpanId", body.parentSpanId)
    writer.write("phase", body.phase?.rawValue)
    writer.write("sessionId", body.sessionId)
    writer.write("skillId", body.skillId)
    writer.write("spanId", body.spanId)
    writer.write("srcId", head.srcId)
    writer.write("swarmId", head.swarmId)
    writer.write("traceId", body.traceId)
    writer.write("ts", head.ts)
    writer.write("type", Self.type)
    return writer.line
  }
}
