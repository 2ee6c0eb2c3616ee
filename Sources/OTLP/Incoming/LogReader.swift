internal import CodingAgents
internal import Core

/// A converter of log records to events.
struct LogReader {
  let now: Timestamp
  /// `true` to keep all attributes of coding agents.
  let keepsContent: Bool
  var received = OTLPReceived()

  mutating func read(_ request: WireRequest<WireLogRecord>) {
    for resource in request.resources {
      let origin = Origin(resource.resource)
      received.host = origin.host
      let place = OwnPlace(resource.resource)
      for scope in resource.scopes {
        let isOwn = scope.scope?.name == OwnPlace.name
        for record in scope.records {
          do throws(Failure) {
            if isOwn {
              try readOwn(record, of: place)
            } else if let agent = origin.agent {
              try read(record, of: agent, origin)
            } else {
              try read(record, of: origin)
            }
          } catch {
            received.reject("a log record is rejected: \(error.explanation)")
          }
        }
      }
    }
  }

  private mutating func readOwn(
    _ record: WireLogRecord, of place: OwnPlace
  ) throws(Failure) {
    let own: OwnEvent =
      switch OwnRecord.type(of: record) {
      case nil: try OwnLog.event(record, of: place)
      case TraceEvent.type: try OwnTrace.event(record, of: place)
      default: try OwnRecord.event(record, of: place)
      }
    try received.add(own)
  }

  private mutating func read(
    _ record: WireLogRecord, of agent: TelemetryNames, _ origin: Origin
  ) throws(Failure) {
    let reader = AgentRecord(
      record, agent, of: (origin.swarmId, origin.sessionId), keepingContent: keepsContent, now: now)
    for item in try reader.events() {
      received.add(agentEvent: item.event, callId: item.callId, identity: reader.identity)
    }
  }

  private mutating func read(_ record: WireLogRecord, of origin: Origin) throws(Failure) {
    let subject = try Subject(record.attributes, of: origin)
    var labels = origin.labels.merging(subject.labels) { $1 }
    labels["trace_id"] = record.traceID.text(ofBytes: 16)
    labels["span_id"] = record.spanID.text(ofBytes: 8)
    if !record.eventName.isEmpty { labels["event.name"] = record.eventName }
    let level =
      Severity.level(record.severityNumber) ?? Severity.level(named: record.severityText) ?? .info
    let ts =
      WireInstant.first(of: record.timeUnixNano, record.observedTimeUnixNano) ?? now.milliseconds
    var log = Log(
      ts: ts, agentId: subject.agentId ?? "", level: level, message: words(record, subject))
    log.head = subject.head(at: ts, labels: labels)
    log.sessionId = subject.sessionId
    log.skillId = subject.skillId
    try received.add(log, at: record.timeUnixNano, record.observedTimeUnixNano)
  }

  /// Returns the message of the log.
  ///
  /// It is the body of the record. Without a body, it is the exception's message or the event name.
  private func words(_ record: WireLogRecord, _ subject: Subject) -> String {
    if let words = record.body?.json.words, !words.isEmpty { return words }
    return subject.attrs["exception.message"]?.string ?? record.eventName
  }
}
