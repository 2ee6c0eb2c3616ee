internal import Core

/// The conversion between our logs and log records.
enum OwnLog {
  static func record(_ log: Log) throws(Failure) -> WireLogRecord {
    var marks = OwnMarks(log.head)
    marks.sessionId = log.sessionId
    marks["skillId"] = log.skillId
    marks["incidentId"] = log.incidentId
    marks.members["count"] = log.body.count.map(JSONValue.int)
    var record = WireLogRecord()
    record.timeUnixNano = WireInstant.nanoseconds(log.ts)
    record.observedTimeUnixNano = record.timeUnixNano
    record.severityNumber = Severity.number(log.level)
    record.severityText = Severity.text(log.level)
    record.body = WireAnyValue(.string(log.message))
    record.attributes = marks.attributes
    try marks.complete(log, restored: event(record, of: OwnPlace(log.head)).event)
    if marks.whole != nil { record.attributes = marks.attributes }
    return record
  }

  static func event(_ record: WireLogRecord, of place: OwnPlace) throws(Failure) -> OwnEvent {
    let marks = OwnMarks(record.attributes)
    if let whole = try marks.wholeEvent() { return OwnEvent(event: whole, id: marks["id"]) }
    guard let agent = place.agentId else { throw Failure(.badInput, "there is no agent") }
    let ts = WireInstant.milliseconds(record.timeUnixNano)
    var log = Log(
      ts: ts, agentId: agent, level: Severity.level(record.severityNumber) ?? .info,
      message: record.body?.json.words ?? "")
    log.head = marks.head(at: ts, of: place)
    log.sessionId = marks.sessionId
    log.skillId = marks["skillId"]
    log.incidentId = marks["incidentId"]
    if case .int(let count) = marks.members["count"] { log.body.count = count }
    return OwnEvent(event: log, id: marks["id"])
  }
}
