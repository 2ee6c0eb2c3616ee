internal import Core
internal import Events

/// The conversion between our trace events and spans or log records.
enum OwnTrace {
  /// Returns the span for the given event, which ends a span or has no phase.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - start: The start in milliseconds since 1970. If nil, the start is computed from the
  ///     event's duration. Without a duration, it equals the end.
  /// - Returns: The span.
  /// - Throws: `BadInput` if JSON cannot represent the event.
  static func span(_ event: TraceEvent, start: Int64?) throws(Failure) -> WireSpan {
    var span = WireSpan()
    var marks = Self.marks(event)
    let ids = marks.ids(of: event)
    if event.phase == nil { marks["phase"] = "" }
    let name = EventAttribute.spanName.rawValue
    span.name = event.attrs[name]?.string ?? title(event)
    if span.name != event.name { marks["name"] = event.name }
    span.traceID = ids.trace
    span.spanID = ids.span
    span.parentSpanID = ids.parent ?? WireId()
    let took = event.attrs[EventAttribute.durationMilliseconds.rawValue]?.number ?? 0
    span.endTimeUnixNano = WireInstant.nanoseconds(event.ts)
    let began = start.map { Double(event.ts) - Double($0) } ?? took
    let nanoseconds = UInt64(max(0, min(began, 1e12)) * 1e6)
    span.startTimeUnixNano = span.endTimeUnixNano - min(nanoseconds, span.endTimeUnixNano)
    span.kind = Self.kind(event)
    if let type = event.attrs[EventAttribute.errorType.rawValue], type != .null {
      let said = event.attrs[EventAttribute.statusDescription.rawValue]?.string
      span.status = WireStatus(message: said ?? "", code: .error)
    }
    span.attributes = marks.attributes
    try marks.complete(event, restored: Self.event(span, of: OwnPlace(event.head)).event)
    if marks.whole != nil { span.attributes = marks.attributes }
    return span
  }

  /// Returns the event that the given span encodes.
  static func event(_ span: WireSpan, of place: OwnPlace) throws(Failure) -> OwnEvent {
    let marks = OwnMarks(span.attributes)
    if let whole = try marks.wholeEvent() { return OwnEvent(event: whole, id: marks["id"]) }
    let ts = WireInstant.milliseconds(span.endTimeUnixNano)
    var event = try event(
      marks, name: marks["name"] ?? span.name, span: span.spanID, at: ts, of: place)
    event.traceId = marks["traceId"] ?? span.traceID.text
    if event.traceId == "" { event.traceId = nil }
    event.parentSpanId = marks["parentSpanId"] ?? span.parentSpanID.text
    if event.parentSpanId == "" { event.parentSpanId = nil }
    event.phase = marks["phase"] == nil ? .end : nil
    return OwnEvent(event: event, id: marks["id"])
  }

  /// Returns the log record for the start or progress of a span.
  ///
  /// OTLP sends spans only after they have ended.
  static func record(_ event: TraceEvent) throws(Failure) -> WireLogRecord {
    var marks = Self.marks(event)
    let ids = marks.ids(of: event)
    marks["name"] = event.name
    marks["phase"] = event.phase?.rawValue
    marks["parentSpanId"] = event.parentSpanId
    if event.traceId == nil { marks["traceId"] = nil }
    var record = OwnRecord.record(type: TraceEvent.type, at: event.ts)
    record.traceID = event.traceId == nil ? WireId() : ids.trace
    record.spanID = ids.span
    record.attributes = marks.attributes
    try marks.complete(event, restored: Self.event(record, of: OwnPlace(event.head)).event)
    if marks.whole != nil { record.attributes = marks.attributes }
    return record
  }

  /// Returns the trace event that the given log record encodes.
  static func event(_ record: WireLogRecord, of place: OwnPlace) throws(Failure) -> OwnEvent {
    let marks = OwnMarks(record.attributes)
    if let whole = try marks.wholeEvent() { return OwnEvent(event: whole, id: marks["id"]) }
    let ts = WireInstant.milliseconds(record.timeUnixNano)
    var event = try event(
      marks, name: marks["name"] ?? "", span: record.spanID, at: ts, of: place)
    event.traceId =
      marks["traceId"] ?? (record.traceID.isDefault ? nil : record.traceID.text)
    event.parentSpanId = marks["parentSpanId"]
    event.phase = marks["phase"].flatMap { TraceEvent.Phase(rawValue: $0) }
    return OwnEvent(event: event, id: marks["id"])
  }

  /// Returns the trace event with the given members, which spans and log records both contain.
  private static func event(
    _ marks: OwnMarks, name: String, span: WireId, at milliseconds: Int64, of place: OwnPlace
  ) throws(Failure) -> TraceEvent {
    guard let agent = place.agentId else { throw Failure(.badInput, "there is no agent") }
    var event = TraceEvent(
      ts: milliseconds, agentId: agent, spanId: marks["spanId"] ?? span.text, name: name,
      attrs: marks.ownAttrs)
    event.head = marks.head(at: milliseconds, of: place)
    event.sessionId = marks.sessionId
    event.skillId = marks["skillId"]
    event.incidentId = marks["incidentId"]
    return event
  }

  private static func marks(_ event: TraceEvent) -> OwnMarks {
    var marks = OwnMarks(event.head)
    marks.attrs = event.attrs
    if let session = event.sessionId { marks.sessionId = session }
    marks["skillId"] = event.skillId
    marks["incidentId"] = event.incidentId
    return marks
  }

  /// Returns the conventional name of the event's span: its operation, followed by the subject.
  private static func title(_ event: TraceEvent) -> String {
    func value(_ name: EventAttribute) -> String? { event.attrs[name.rawValue]?.string }
    let subject: String? =
      switch EventOperation(rawValue: event.name) {
      case .invokeAgent, .plan: value(.agentName)
      case .invokeWorkflow: value(.workflowName)
      case .executeTool: value(.toolName)
      case .chat, .generateContent, .textCompletion: value(.requestModel) ?? value(.responseModel)
      case nil: nil
      }
    return subject.map { "\(event.name) \($0)" } ?? event.name
  }

  private static func kind(_ event: TraceEvent) -> WireSpanKind {
    if let kind = event.attrs[EventAttribute.spanKind.rawValue]?.string.flatMap(SpanKind.init) {
      return kind.wire
    }
    let isCall = EventOperation(rawValue: event.name)?.isModelCall ?? false
    return isCall ? .client : .internal
  }
}

extension OwnMarks {
  /// Returns the ids of the given event in the form that the protocol requires.
  ///
  /// An id in another form is replaced by a digest, and the original is stored in a mark. If an
  /// event has no trace, its trace id is a digest of its conversation or agent.
  fileprivate mutating func ids(
    of event: TraceEvent
  ) -> (trace: WireId, span: WireId, parent: WireId?) {
    let of = event.traceId ?? event.sessionId ?? event.agentId ?? ""
    let trace = event.traceId.flatMap { WireId($0, ofBytes: 16) }
    if trace == nil { self["traceId"] = event.traceId ?? "" }
    let span = WireId(event.spanId, ofBytes: 8)
    if span == nil { self["spanId"] = event.spanId }
    let parent = event.parentSpanId.flatMap { WireId($0, ofBytes: 8) }
    if parent == nil, let other = event.parentSpanId { self["parentSpanId"] = other }
    return (
      trace ?? Self.digest(of, bytes: 16), span ?? Self.digest(event.spanId, bytes: 8),
      parent ?? event.parentSpanId.map { Self.digest($0, bytes: 8) }
    )
  }

  private static func digest(_ text: String, bytes: Int) -> WireId {
    let digits = SHA256Digest.hexadecimal(Array(text.utf8)).utf8.prefix(bytes * 2)
    return WireId(WireId.bytes(digits) ?? [])
  }
}
