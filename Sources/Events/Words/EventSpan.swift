public import Core

/// Something that an agent does: what the events of its beginning, its progress and its end share.
public struct EventSpan: Sendable, Hashable {
  /// What is done.
  public var operation: EventOperation
  /// Who does it.
  public var agentId: String
  /// 16 hexadecimal digits.
  public var spanId: String
  /// The span that it is a part of.
  public var parentSpanId: String?
  /// 32 hexadecimal digits that all spans of one run share.
  public var traceId: String?
  /// The swarm of the agent.
  public var swarmId: String?
  /// The conversation it is part of.
  public var sessionId: String?
  /// The skill or tool it is about.
  public var skillId: String?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// What each of its events tells, unless it tells otherwise.
  public var attributes: EventAttributes

  /// Creates a span that is part of no other.
  public init(
    _ operation: EventOperation, agentId: String, spanId: String, attributes: EventAttributes = [:]
  ) {
    self.operation = operation
    self.agentId = agentId
    self.spanId = spanId
    self.attributes = attributes
  }

  /// An event of the span.
  ///
  /// - Parameters:
  ///   - phase: Which part of it is told; nil where one event tells all.
  ///   - attributes: What else is to be known.
  ///   - instant: When it happened.
  /// - Returns: The record.
  public func event(
    _ phase: TraceEvent.Phase?, _ attributes: EventAttributes = [:], at instant: Timestamp
  ) -> TraceEvent {
    var all = self.attributes.merging(attributes) { _, given in given }
    all[.operation] = .string(operation.rawValue)
    var event = TraceEvent(
      ts: instant.milliseconds, agentId: agentId, spanId: spanId, name: operation.rawValue,
      attrs: all.named)
    event.swarmId = swarmId
    event.sessionId = sessionId
    event.skillId = skillId
    event.traceId = traceId
    event.parentSpanId = parentSpanId
    event.phase = phase
    event.labels = labels
    return event
  }
}

extension EventSpan {
  /// A new id of a span: 16 random hexadecimal digits.
  public static func newId() -> String {
    let digits = String(UInt64.random(in: 1...UInt64.max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// A new id of a trace: 32 random hexadecimal digits.
  public static func newTraceId() -> String { newId() + newId() }

  /// The id of the trace of what has an id of its own: the digits of a UUID, which are as many.
  public static func traceId(of id: String) -> String {
    let digits = id.lowercased().filter(\.isHexDigit).filter(\.isASCII)
    return digits.count == 32 ? digits : String(SHA256Digest.hexadecimal(Array(id.utf8)).prefix(32))
  }

  /// The id of the span of what has an id of its own: the last digits of a UUIDv7, which are random.
  public static func spanId(of id: String) -> String { String(traceId(of: id).suffix(16)) }
}
