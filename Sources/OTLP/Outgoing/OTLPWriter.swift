public import Core
internal import SwiftProtobuf

/// A converter of events to requests of OTLP in JSON, for any backend or another hub.
///
/// The end of a span becomes a span, as does an event without a phase. A log becomes a log record,
/// a metric a gauge. All other events, such as the start and progress of a span, become log records
/// with the event name `agentpipes.TYPE` and the members as attributes. Another hub restores each
/// event.
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

  /// The number of open spans whose start times are remembered, and of as many older ones.
  private static let mostStarts = 50_000

  private let version: String
  private var starts: [String: Int64] = [:]
  private var olderStarts: [String: Int64] = [:]

  /// Creates a writer that remembers no open spans.
  ///
  /// - Parameter version: The version that requests name.
  public init(version: String = "") { self.version = version }

  /// Returns the requests for events: at most one per signal, none of them empty.
  ///
  /// Log records come first, so that the start of a span arrives before its end.
  ///
  /// - Parameter events: Events in the order of the log.
  /// - Returns: The requests, in the order to send them.
  /// - Throws: `BadInput` for an event that JSON cannot represent, such as one with an infinite
  ///   number.
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

  /// Returns a request, unless it would be empty.
  ///
  /// - Parameters:
  ///   - signal: The signal of the request.
  ///   - groups: The records.
  ///   - resource: Creates a resource from the records of one place.
  ///   - request: Creates the request from all resources.
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

/// Records grouped by place, in the order of each place's first record.
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
