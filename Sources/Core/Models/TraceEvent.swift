/// The beginning, the progress or the end of something an agent does: a span as it happens.
///
/// Names and attributes are those of OpenTelemetry's conventions for generative AI (v1.41.1).
public struct TraceEvent: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "traceEvent"

  /// The event's id, once a log has stored it.
  public var id: String?
  /// The producer's own id, by which an event that comes twice is known.
  public var srcId: String?
  /// When it happened, in milliseconds since 1970.
  public var ts: Int64
  /// The swarm of the agent; of a run, the pipeline.
  public var swarmId: String?
  /// Who does it; of a run, the stage, and of the run itself, the pipeline.
  public var agentId: String
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
  public var attrs: [String: AttributeValue]
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, srcId, ts, swarmId, agentId, sessionId, skillId, incidentId, traceId, spanId,
      parentSpanId, phase, name, attrs, labels
  }

  /// A part of a span.
  public enum Phase: String, Codable, Sendable, CaseIterable {
    case start, progress, end
  }

  /// Creates the record.
  public init(
    id: String? = nil, srcId: String? = nil, ts: Int64, swarmId: String? = nil, agentId: String,
    sessionId: String? = nil, skillId: String? = nil, incidentId: String? = nil,
    traceId: String? = nil, spanId: String, parentSpanId: String? = nil,
    phase: Phase? = nil, name: String, attrs: [String: AttributeValue] = [:],
    labels: [String: String]? = nil
  ) {
    self.id = id
    self.srcId = srcId
    self.ts = ts
    self.swarmId = swarmId
    self.agentId = agentId
    self.sessionId = sessionId
    self.skillId = skillId
    self.incidentId = incidentId
    self.traceId = traceId
    self.spanId = spanId
    self.parentSpanId = parentSpanId
    self.phase = phase
    self.name = name
    self.attrs = attrs
    self.labels = labels
  }
}

extension TraceEvent {
  /// The line that `line()` gives; nil where there are members that are not known, and for numbers
  /// that cannot be written.
  public var quickLine: [UInt8]? {
    guard unknown.isEmpty else { return nil }
    var writer = LineWriter()
    writer.write("agentId", agentId)
    guard (try? writer.write("attrs", attrs)) != nil else { return nil }
    writer.write("id", id)
    writer.write("incidentId", incidentId)
    writer.write("labels", labels)
    writer.write("name", name)
    writer.write("parentSpanId", parentSpanId)
    writer.write("phase", phase?.rawValue)
    writer.write("sessionId", sessionId)
    writer.write("skillId", skillId)
    writer.write("spanId", spanId)
    writer.write("srcId", srcId)
    writer.write("swarmId", swarmId)
    writer.write("traceId", traceId)
    writer.write("ts", ts)
    writer.write("type", Self.type)
    return writer.line
  }
}
