internal import Core
internal import Events

/// A converter of metric points to events.
///
/// A point of a gauge or sum becomes one event. A point of a histogram becomes up to four events,
/// `NAME.count`, `NAME.sum`, `NAME.min` and `NAME.max`, without the buckets. Each quantile of a
/// summary becomes an event `NAME` with the label `quantile`.
struct MetricReader {
  let now: Timestamp
  /// `true` to keep all attributes of coding agents.
  let keepsContent: Bool
  var received = OTLPReceived()

  /// The flag that marks a point that has no value.
  private static let hasNoValue: UInt32 = 1

  private struct Place {
    let origin: Origin
    let own: OwnPlace?
  }

  /// The members that all kinds of points have.
  fileprivate struct Point {
    var attributes: [WireKeyValue]
    var time: UInt64
    var flags: UInt32
    var start: UInt64
    var values: [Value]
  }

  fileprivate struct Value {
    var suffix = ""
    var quantile: String?
    var number: Double
  }

  mutating func read(_ request: WireRequest<WireMetric>) {
    for resource in request.resources {
      let origin = Origin(resource.resource)
      received.host = origin.host
      let own = OwnPlace(resource.resource)
      for scope in resource.scopes {
        let place = Place(
          origin: origin, own: scope.scope?.name == OwnPlace.name ? own : nil)
        for metric in scope.records { read(metric, in: place) }
      }
    }
  }

  private mutating func read(_ metric: WireMetric, in place: Place) {
    switch metric.points {
    case .gauge(let gauge): readNumbers(gauge.dataPoints, of: metric, nil, in: place)
    case .sum(let sum):
      readNumbers(sum.dataPoints, of: metric, sum.temporality, in: place)
    case .histogram(let histogram):
      for point in histogram.dataPoints {
        read(point.point, of: metric, histogram.temporality, in: place)
      }
    case .exponentialHistogram(let histogram):
      for point in histogram.dataPoints {
        read(point.point, of: metric, histogram.temporality, in: place)
      }
    case .summary(let summary):
      for point in summary.dataPoints { read(point.point, of: metric, nil, in: place) }
    case nil: break
    }
  }

  private mutating func readNumbers(
    _ points: [WireNumberPoint], of metric: WireMetric,
    _ temporality: WireTemporality?, in place: Place
  ) {
    for point in points {
      if let own = place.own {
        readOwn(point, of: metric, in: own)
      } else {
        read(point.point, of: metric, temporality, in: place)
      }
    }
  }

  private mutating func readOwn(
    _ point: WireNumberPoint, of metric: WireMetric, in own: OwnPlace
  ) {
    do throws(Failure) {
      try received.add(OwnMetric.event(point, name: metric.name, of: own))
    } catch {
      reject(error)
    }
  }

  private mutating func reject(_ failure: Failure) {
    received.reject("a data point is rejected: \(failure.explanation)")
  }

  private mutating func read(
    _ point: Point, of metric: WireMetric, _ temporality: WireTemporality?,
    in place: Place
  ) {
    guard point.flags & Self.hasNoValue == 0 else { return }
    do throws(Failure) {
      guard !metric.name.isEmpty else { throw Failure(.badInput, "it has no name") }
      guard point.values.allSatisfy({ $0.number.isFinite }) else {
        throw Failure(.badInput, "it is not a finite number")
      }
      var subject = try Subject(point.attributes, of: place.origin)
      if let agent = place.origin.agent {
        if let usage = AgentPoint(point.attributes, of: metric.name, agent, place.origin) {
          return try add(usage, at: point, temporality)
        }
        try subject.become(agent, of: place.origin, keepingContent: keepsContent)
      }
      var labels = place.origin.labels.merging(subject.labels) { $1 }
      if !metric.unit.isEmpty { labels["unit"] = metric.unit }
      labels["temporality"] = temporality?.word ?? labels["temporality"]
      let ts = WireInstant.first(of: point.time) ?? now.milliseconds
      let kind: Metric.Scope =
        subject.skillId != nil ? .skill : subject.sessionId != nil ? .session : .agent
      for value in point.values {
        labels["quantile"] = value.quantile ?? labels["quantile"]
        var event = Metric(
          ts: ts, scope: kind, name: metric.name + value.suffix, value: value.number)
        event.head = subject.head(at: ts, labels: labels)
        event.sessionId = subject.sessionId
        event.skillId = subject.skillId
        try received.add(event, at: point.start, point.time)
      }
    } catch {
      reject(error)
    }
  }
}

extension MetricReader {
  /// Adds the counters of usage that the given point of a coding agent adds to.
  fileprivate mutating func add(
    _ usage: AgentPoint, at point: Point, _ temporality: WireTemporality?
  ) throws(Failure) {
    let ts = WireInstant.first(of: point.time) ?? now.milliseconds
    for value in point.values where value.number >= 0 {
      for counter in usage.counters {
        var event = Metric(
          ts: ts, scope: .session, name: counter.metric, value: value.number)
        event.head = try usage.head(at: ts)
        var labels = usage.labels
        labels[EventMetric.temporalityLabel] = temporality?.word
        labels[EventMetric.startLabel] = String(point.start)
        event.head.labels = labels
        event.sessionId = usage.sessionId
        try received.add(event, at: point.start, point.time)
      }
    }
  }
}

extension WireTemporality {
  /// The label for the interval that a sum covers: since the previous point or since the start.
  ///
  /// It is nil if the interval is unspecified.
  fileprivate var word: String? {
    switch self {
    case .delta: "delta"
    case .cumulative: "cumulative"
    default: nil
    }
  }
}

extension WireNumberPoint {
  fileprivate var point: MetricReader.Point {
    let values: [MetricReader.Value] =
      switch number {
      case .double(let number): [.init(number: number)]
      case .int(let number): [.init(number: Double(number))]
      case nil: []
      }
    return .init(
      attributes: attributes, time: timeUnixNano, flags: flags, start: startTimeUnixNano,
      values: values)
  }
}

/// A point of a histogram with buckets of any kind.
private protocol BucketPoint {
  var attributes: [WireKeyValue] { get }
  var startTimeUnixNano: UInt64 { get }
  var timeUnixNano: UInt64 { get }
  var flags: UInt32 { get }
  var count: UInt64 { get }
  var sum: Double? { get }
  var min: Double? { get }
  var max: Double? { get }
}

extension WireHistogramPoint: BucketPoint {}
extension WireExponentialPoint: BucketPoint {}

extension BucketPoint {
  fileprivate var point: MetricReader.Point {
    var values = [MetricReader.Value(suffix: ".count", number: Double(count))]
    if let sum { values.append(.init(suffix: ".sum", number: sum)) }
    if let min { values.append(.init(suffix: ".min", number: min)) }
    if let max { values.append(.init(suffix: ".max", number: max)) }
    return .init(
      attributes: attributes, time: timeUnixNano, flags: flags, start: startTimeUnixNano,
      values: values)
  }
}

extension WireSummaryPoint {
  fileprivate var point: MetricReader.Point {
    let values: [MetricReader.Value] =
      [.init(suffix: ".count", number: Double(count)), .init(suffix: ".sum", number: sum)]
      + quantiles.map {
        .init(quantile: JSONValue.double($0.quantile).words, number: $0.value)
      }
    return .init(
      attributes: attributes, time: timeUnixNano, flags: flags, start: startTimeUnixNano,
      values: values)
  }
}
