public import Core

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
    return [body(.logs, logs), body(.traces, spans), body(.metrics, metrics)].compactMap(\.self)
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

  /// Returns a request with the given records; nil if there are none.
  private func body<Record>(_ signal: OTLPSignal, _ groups: Groups<Record>) -> Body? {
    guard groups.count > 0 else { return nil }
    let scope = WireScope(name: OwnPlace.name, version: version)
    let request = WireRequest(
      resources: groups.all.map { place, records in
        WireResourceGroup(
          resource: place.resource, scopes: [WireScopeGroup(scope: scope, records: records)])
      })
    return Body(signal: signal, bytes: WireBody.bytes(of: request, .json), count: groups.count)
  }
}

/// Records that are grouped by agent, swarm and machine.
///
/// The groups are in the order of their first records.
private struct Groups<Record: WireRecord> {
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
