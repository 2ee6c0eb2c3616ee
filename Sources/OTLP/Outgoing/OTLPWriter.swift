public import Core
internal import SwiftProtobuf

/// A converter of events to OTLP requests in JSON, for any backend or for another hub.
///
/// The end of a span, and a trace event without a phase, become a span. A log becomes a log record,
/// and a metric becomes a gauge. All other events, such as the start and progress of a span, become
/// log records. Their event name is `agentpipes.TYPE`, and their attributes are the event's
/// members. Another hub can restore every event.
public struct OTLPWriter: Sendable {
  /// The body of one request.
  public struct Body: Sendable {
    /// The signal of the request.
    public let signal: OTLPSignal
    /// The bytes of the body, in JSON.
    public let bytes: [UInt8]
    /// The number of events in the body.
    public let count: Int
  }

  /// The maximum number of start times in `starts`.
  ///
  /// Beyond it, they replace those in `olderStarts`.
  private static let mostStarts = 50_000

  private let version: String
  private var starts: [String: Int64] = [:]
  private var olderStarts: [String: Int64] = [:]

  /// Creates a writer that knows no start times yet.
  ///
  /// - Parameter version: The version of agentpipes that the requests name.
  public init(version: String = "") { self.version = version }

  /// Returns the requests that send the given events, at most one for each signal.
  ///
  /// Log records come first, so that the start of a span arrives before its end.
  ///
  /// - Parameter events: The events, in the order of the log.
  /// - Returns: The requests, in the order in which they must be sent.
  /// - Throws: `BadInput` if JSON cannot represent an event, for example because a number is
  ///   infinite.
  public mutating func requests(for events: [any Event]) throws(Failure) -> [Body] {
    var logs = Groups<WireLogRecord>()
    var spans = Groups<WireSpan>()
    var metrics = Groups<WireMetric>()
    for event in events {
      let place = OwnPlace(event.head)
      switch event {
      case let event as TraceEvent where event.phase == .start || event.phase == .progress:
        remember(event)
        logs.add(try OwnTrace.record(event), to: place)
      case let event as TraceEvent:
        spans.add(try OwnTrace.span(event, start: start(of: event)), to: place)
      case let event as Log: logs.add(try OwnLog.record(event), to: place)
      case let event as Metric: metrics.add(try OwnMetric.metric(event), to: place)
      case let event as Alert:
        let level = event.body.severity
        logs.add(try OwnRecord.record(event, level: level, words: event.body.summary), to: place)
      case let event as ApprovalGate:
        logs.add(try OwnRecord.record(event, level: .info, words: event.body.summary), to: place)
      case let event as Control:
        logs.add(try OwnRecord.record(event, level: .info, words: event.body.reason), to: place)
      default: throw Failure(.badInput, "there are no events of the type '\(type(of: event).type)'")
      }
    }
    return try [body(of: logs), body(of: spans), body(of: metrics)].compactMap(\.self)
  }

  // MARK: Start times

  private func key(_ event: TraceEvent) -> String { "\(event.agentId ?? "") \(event.spanId)" }

  private mutating func remember(_ event: TraceEvent) {
    guard event.phase == .start else { return }
    if starts.count >= Self.mostStarts {
      olderStarts = starts
      starts = [:]
    }
    starts[key(event)] = event.ts
  }

  private mutating func start(of event: TraceEvent) -> Int64? {
    guard event.phase == .end else { return nil }
    let key = key(event)
    return starts.removeValue(forKey: key) ?? olderStarts.removeValue(forKey: key)
  }

  // MARK: Envelopes

  private var scope: WireInstrumentationScope {
    var scope = WireInstrumentationScope()
    scope.name = OwnPlace.name
    scope.version = version
    return scope
  }

  /// Returns a request with the given records.
  ///
  /// - Parameters:
  ///   - signal: The signal of the request.
  ///   - groups: The records.
  ///   - resource: A function that creates a resource with the given records.
  ///   - request: A function that creates the request with the given resources.
  /// - Returns: The request; nil if there are no records.
  /// - Throws: `BadInput` if a record cannot be encoded.
  private func body<Record, Resource>(
    _ signal: OTLPSignal, _ groups: Groups<Record>,
    _ resource: (WireResource, [Record]) -> Resource,
    request: ([Resource]) -> some SwiftProtobuf.Message
  ) throws(Failure) -> Body? {
    guard groups.count > 0 else { return nil }
    let resources = groups.all.map { place, records in resource(place.resource, records) }
    return Body(
      signal: signal, bytes: try WireBody.bytes(of: request(resources), .json),
      count: groups.count)
  }

  private func body(of groups: Groups<WireLogRecord>) throws(Failure) -> Body? {
    try body(.logs, groups) { resource, records in
      var told = WireScopeLogs()
      (told.scope, told.logRecords) = (scope, records)
      return WireResourceLogs.with { ($0.resource, $0.scopeLogs) = (resource, [told]) }
    } request: { resources in
      WireExportLogsServiceRequest.with { $0.resourceLogs = resources }
    }
  }

  private func body(of groups: Groups<WireSpan>) throws(Failure) -> Body? {
    try body(.traces, groups) { resource, spans in
      var told = WireScopeSpans()
      (told.scope, told.spans) = (scope, spans)
      return WireResourceSpans.with { ($0.resource, $0.scopeSpans) = (resource, [told]) }
    } request: { resources in
      WireExportTraceServiceRequest.with { $0.resourceSpans = resources }
    }
  }

  private func body(of groups: Groups<WireMetric>) throws(Failure) -> Body? {
    try body(.metrics, groups) { resource, metrics in
      var told = WireScopeMetrics()
      (told.scope, told.metrics) = (scope, metrics)
      return WireResourceMetrics.with { ($0.resource, $0.scopeMetrics) = (resource, [told]) }
    } request: { resources in
      WireExportMetricsServiceRequest.with { $0.resourceMetrics = resources }
    }
  }
}

/// Records that are grouped by agent and swarm.
///
/// The groups are in the order of their first records.
private struct Groups<Record> {
  private(set) var count = 0
  private var places: [OwnPlace] = []
  private var records: [OwnPlace: [Record]] = [:]

  mutating func add(_ record: Record, to place: OwnPlace) {
    if records[place] == nil { places.append(place) }
    records[place, default: []].append(record)
    count += 1
  }

  var all: [(OwnPlace, [Record])] { places.map { ($0, records[$0] ?? []) } }
}
