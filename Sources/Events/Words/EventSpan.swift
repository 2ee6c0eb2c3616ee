public import Core

/// A span: an activity of an agent.
///
/// It contains the members that its start, progress and end events share.
public struct EventSpan: Sendable, Hashable {
  /// The operation that the span performs.
  public var operation: EventOperation
  /// The id of the agent that performs the span.
  public var agentId: String
  /// The id of the span: 16 hexadecimal digits.
  public var spanId: String
  /// The id of the span that encloses this one; nil if there is none.
  public var parentSpanId: String?
  /// The id of the trace: 32 hexadecimal digits that all spans of a run share.
  public var traceId: String?
  /// The id of the agent's swarm; nil if it has none.
  public var swarmId: String?
  /// The id of the conversation that the span belongs to.
  public var sessionId: String?
  /// The id of the skill or tool that the span uses.
  public var skillId: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The attributes of all events of the span.
  ///
  /// An event may override them.
  public var attributes: EventAttributes

  /// Creates a span that has no enclosing span.
  public init(
    _ operation: EventOperation, agentId: String, spanId: String, attributes: EventAttributes = [:]
  ) {
    self.operation = operation
    self.agentId = agentId
    self.spanId = spanId
    self.attributes = attributes
  }

  /// Returns an event of the span.
  ///
  /// - Parameters:
  ///   - phase: The phase of the event; nil if one event describes the whole span.
  ///   - attributes: Additional attributes. They override those of the span.
  ///   - instant: The time of the event.
  /// - Returns: The event.
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
  /// Returns a new id for a span: 16 random hexadecimal digits.
  public static func newId() -> String {
    let digits = String(UInt64.random(in: 1...UInt64.max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns a new id for a trace: 32 random hexadecimal digits.
  public static func newTraceId() -> String { newId() + newId() }

  /// Returns the trace id that is derived from the given id.
  ///
  /// It consists of the digits of a UUID. For any other id, it is a digest.
  public static func traceId(of id: String) -> String {
    let digits = id.lowercased().filter(\.isHexDigit).filter(\.isASCII)
    return digits.count == 32 ? digits : String(SHA256Digest.hexadecimal(Array(id.utf8)).prefix(32))
  }

  /// Returns the span id that is derived from the given id: the last 16 digits of ``traceId(of:)``.
  ///
  /// For a UUIDv7, these digits are random.
  public static func spanId(of id: String) -> String { String(traceId(of: id).suffix(16)) }
}
