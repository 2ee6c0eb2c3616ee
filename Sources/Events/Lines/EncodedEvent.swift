public import Core

/// An event that was encoded as a line when it was created.
///
/// The value also contains the members that logs index, and those that decide if the event is sent
/// to a hub.
public struct EncodedEvent: Sendable, Hashable {
  /// The record as a line, without `id` and line end.
  ///
  /// The members are sorted by the bytes of their names.
  public private(set) var line: [UInt8]
  /// The type of the record, such as `log`.
  public let type: String
  /// The instant of the event, in milliseconds since 1970.
  public let ts: Int64
  /// The id of the agent that the event is about.
  public let agentId: String?
  /// The id that the event's source assigned.
  ///
  /// A log recognizes a repeated event by this id.
  public private(set) var srcId: String?
  /// The name of the machine from which a hub received the event; see ``EventHost``.
  public private(set) var host: String?
  /// `true` for a log record whose level is below `warn`.
  ///
  /// If there is no room for all events, these are dropped first.
  public let isMinor: Bool
  /// `true` for an event that agents report to a hub: a trace event, log, metric or pending gate.
  ///
  /// Decisions are reported by the hub itself.
  public let isReport: Bool

  /// Encodes the given event without its id.
  ///
  /// - Throws: `BadInput` if JSON cannot represent the event.
  public init(_ event: some Event) throws(Failure) {
    var event = event
    event.head.id = nil
    if let quick = event.quickLine { line = quick } else { line = try event.line() }
    type = Swift.type(of: event).type
    (ts, agentId, srcId) = (event.head.ts, event.head.agentId, event.head.srcId)
    host = event.head.host
    isMinor = (event as? Log).map { $0.body.level < .warn } ?? false
    let isGate = (event as? ApprovalGate).map { $0.status == .pending }
    isReport = isGate ?? (event is TraceEvent || event is Log || event is Metric)
  }

  /// Creates an event from the line of a log or trace event, which must be valid.
  init(
    line: [UInt8], type: String, ts: Int64, agentId: String, srcId: String?, host: String?,
    isMinor: Bool
  ) {
    (self.line, self.type, self.ts) = (line, type, ts)
    (self.agentId, self.srcId, self.host, self.isMinor) = (agentId, srcId, host, isMinor)
    isReport = true
  }

  /// Returns a copy of the event with the given `srcId`.
  public func with(srcId: String) -> EncodedEvent {
    var event = self
    event.srcId = srcId
    event.line = MemberSplice.srcId.setting(to: srcId, in: line)
    return event
  }

  /// Returns a copy of the event for another machine's log, with the name of its own machine.
  ///
  /// An event that names a machine keeps that name.
  public func with(host: String?) -> EncodedEvent {
    guard let host, self.host == nil else { return self }
    var event = self
    event.host = host
    event.line = MemberSplice.host.setting(to: host, in: line)
    return event
  }
}
