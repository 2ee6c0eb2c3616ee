public import Core
internal import SwiftProtobuf

/// Makes requests of OTLP of events: in JSON, as any backend and another hub take them.
///
/// The end of a span is a span, and so is an event that tells of all of one; a log is a log record, a
/// metric a gauge. Everything else, the beginning and the progress of a span too, is a log record with
/// the event name `agentpipes.TYPE` that has the members as attributes. Another hub reads each as the
/// event that it was.
public struct OTLPWriter: Sendable {
  /// A request.
  public struct Body: Sendable {
    /// What it carries.
    public let signal: OTLPSignal
    /// JSON.
    public let bytes: [UInt8]
    /// How many events it holds.
    public let count: Int
  }

  /// Of so many spans that have not ended it is remembered when they began, and of as many older ones.
  private static let mostStarts = 50_000

  private let version: String
  private var starts: [String: Int64] = [:]
  private var olderStarts: [String: Int64] = [:]

  /// Nothing was sent yet.
  ///
  /// - Parameter version: The version that the requests name.
  public init(version: String = "") { self.version = version }

  /// The requests that tell of events, at most one a signal: none is empty.
  ///
  /// Log records come first, so that a span's beginning is known before its end.
  ///
  /// - Parameter events: Events as a log has them, in their order.
  /// - Returns: The requests, in the order in which they are to be sent.
  /// - Throws: `BadInput` for an event that JSON cannot say, such as one with an infinite number.
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

  // MARK: Beginnings

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

  /// A request, if there is anything to tell.
  ///
  /// - Parameters:
  ///   - signal: What it carries.
  ///   - groups: Its records.
  ///   - resource: Makes a resource of those of one place.
  ///   - request: Makes the request of all resources.
  /// - Returns: The request; nil where it would be empty.
  /// - Throws: `BadInput` for what cannot be written.
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

/// Records by whose they are, in the order in which those came up first.
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
