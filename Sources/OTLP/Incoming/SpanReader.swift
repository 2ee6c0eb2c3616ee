internal import Core
internal import Events

/// A converter of spans to events.
struct SpanReader {
  let now: Timestamp
  /// `true` to keep all attributes of coding agents.
  let keepsContent: Bool
  var received = OTLPReceived()

  mutating func read(_ request: WireRequest<WireSpan>) {
    for resource in request.resources {
      let origin = Origin(resource.resource)
      received.host = origin.host
      let place = OwnPlace(resource.resource)
      for scope in resource.scopes {
        let isOwn = scope.scope?.name == OwnPlace.name
        for span in scope.records {
          do throws(Failure) {
            if isOwn {
              try received.add(try OwnTrace.event(span, of: place))
            } else {
              try read(span, of: origin)
            }
          } catch {
            received.reject("a span is rejected: \(error.explanation)")
          }
        }
      }
    }
  }

  private mutating func read(_ span: WireSpan, of origin: Origin) throws(Failure) {
    guard let trace = span.traceID.text(ofBytes: 16),
      let id = span.spanID.text(ofBytes: 8)
    else { throw Failure(.badInput, "its ids must have 16 and 8 bytes and must not be zero") }
    var subject = try Subject(span.attributes, of: origin)
    if let agent = origin.agent {
      try subject.become(agent, of: origin, keepingContent: keepsContent)
    }
    let isReduced = origin.agent != nil && !keepsContent
    let source = "otlp:\(trace):\(id)"
    let ts =
      WireInstant.first(of: span.endTimeUnixNano, span.startTimeUnixNano) ?? now.milliseconds
    var event = TraceEvent(
      ts: ts, agentId: subject.agentId ?? "", spanId: id, name: name(span, &subject.attrs))
    event.traceId = trace
    event.parentSpanId = span.parentSpanID.text(ofBytes: 8)
    event.sessionId = subject.sessionId
    event.skillId = subject.skillId
    for (index, told) in span.events.enumerated() {
      let at = WireInstant.first(of: told.timeUnixNano) ?? ts
      var part = event
      part.head = subject.head(at: at, source: "\(source):\(index + 1)", labels: origin.labels)
      part.name = told.name
      part.phase = .progress
      part.attrs = isReduced ? [:] : told.attributes.members
      // The calls of an agent are counted from its logs or metrics.
      if origin.agent != nil {
        for name in EventAttribute.operation.names { part.attrs[name] = nil }
      }
      received.add(part)
    }
    describe(span, in: &subject.attrs)
    event.head = subject.head(at: ts, source: source, labels: origin.labels)
    event.phase = .end
    event.attrs = subject.attrs
    if isReduced { event.attrs[EventAttribute.statusDescription.rawValue] = nil }
    received.add(event)
  }

  /// Returns the span's operation, which becomes the event's name.
  ///
  /// If the span has another name, it is stored in `attrs`.
  private func name(_ span: WireSpan, _ attrs: inout [String: JSONValue]) -> String {
    let operation = attrs[EventAttribute.operation.rawValue]?.string
      .flatMap(EventOperation.init)?.rawValue
    guard let operation else { return span.name }
    if span.name != operation, !span.name.isEmpty {
      attrs[EventAttribute.spanName.rawValue] = .string(span.name)
    }
    return operation
  }

  /// Adds the properties of the given span to `attrs`.
  private func describe(_ span: WireSpan, in attrs: inout [String: JSONValue]) {
    func set(_ name: EventAttribute, _ value: @autoclosure () -> JSONValue) {
      if attrs[name.rawValue] == nil { attrs[name.rawValue] = value() }
    }
    if span.startTimeUnixNano > 0, span.endTimeUnixNano >= span.startTimeUnixNano {
      let nanoseconds = span.endTimeUnixNano - span.startTimeUnixNano
      let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
      set(
        .durationMilliseconds,
        rest == 0 ? .int(Int(whole)) : .double(Double(nanoseconds) / 1_000_000))
    }
    if let kind = SpanKind(span.kind) { set(.spanKind, .string(kind.rawValue)) }
    guard let status = span.status, status.code == .error else { return }
    set(.errorType, .string(exception(of: span) ?? "_OTHER"))
    if !status.message.isEmpty { set(.statusDescription, .string(status.message)) }
  }

  /// Returns the type of the last exception in the given span; nil if there is none.
  private func exception(of span: WireSpan) -> String? {
    span.events.reversed().lazy.filter { $0.name == "exception" }
      .compactMap { $0.attributes.members["exception.type"]?.string }.first
  }
}
