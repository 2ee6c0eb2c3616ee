internal import Core

/// The conversion between our metrics and gauges with one point.
enum OwnMetric {
  static func metric(_ event: Metric) throws(Failure) -> WireMetric {
    var marks = OwnMarks(event.head)
    marks["scope"] = event.body.scope.rawValue
    marks.sessionId = event.sessionId
    marks["skillId"] = event.skillId
    marks["incidentId"] = event.incidentId
    var point = WireNumberPoint()
    point.timeUnixNano = WireInstant.nanoseconds(event.ts)
    point.asDouble = event.value
    point.attributes = marks.attributes
    var metric = WireMetric()
    metric.name = event.name
    try marks.complete(
      event, restored: Self.event(point, name: metric.name, of: OwnPlace(event.head)).event)
    if marks.whole != nil { point.attributes = marks.attributes }
    metric.points = .gauge(WireNumbers(dataPoints: [point]))
    return metric
  }

  static func event(
    _ point: WireNumberPoint, name: String, of place: OwnPlace
  ) throws(Failure) -> OwnEvent {
    let marks = OwnMarks(point.attributes)
    if let whole = try marks.wholeEvent() { return OwnEvent(event: whole, id: marks["id"]) }
    let value = point.asDouble ?? 0
    guard let scope = marks["scope"].flatMap(Metric.Scope.init), value.isFinite else {
      throw Failure(.badInput, "the point does not belong to one of our metrics")
    }
    let ts = WireInstant.milliseconds(point.timeUnixNano)
    var metric = Metric(ts: ts, scope: scope, name: name, value: value)
    metric.head = marks.head(at: ts, of: place)
    metric.sessionId = marks.sessionId
    metric.skillId = marks["skillId"]
    metric.incidentId = marks["incidentId"]
    return OwnEvent(event: metric, id: marks["id"])
  }
}
