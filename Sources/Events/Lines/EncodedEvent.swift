public import Core

/// An event that was encoded as a line when it was created.
///
/// The type also holds the members that logs index, and those that decide if the event is sent to a
/// hub.
public struct EncodedEvent: Sendable, Hashable {
  /// The record as a line without `id` and line end, with its members sorted by the bytes of their
  /// names.
  public private(set) var line: [UInt8]
  /// The record's type.
  public let type: String
  /// The instant of the event, in milliseconds since 1970.
  public let ts: Int64
  /// The agent that the event is about.
  public let agentId: String?
  /// The id by which a log recognizes a repeated event.
  public private(set) var srcId: String?
  /// `true` for a log below `warn`; such logs are dropped first if there is no room for all events.
  public let isMinor: Bool
  /// `true` for an event that agents report to a hub: a trace event, log, metric or pending gate.
  ///
  /// The hub itself reports decisions.
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
    isMinor = (event as? Log).map { $0.body.level < .warn } ?? false
    let isGate = (event as? ApprovalGate).map { $0.status == .pending }
    isReport = isGate ?? (event is TraceEvent || event is Log || event is Metric)
  }

  /// Creates an event from the validated line of a log or trace event.
  init(line: [UInt8], type: String, ts: Int64, agentId: String, srcId: String?, isMinor: Bool) {
    (self.line, self.type, self.ts) = (line, type, ts)
    (self.agentId, self.srcId, self.isMinor) = (agentId, srcId, isMinor)
    isReport = true
  }

  /// Returns the event with the given `srcId`.
  public func with(srcId: String) -> EncodedEvent {
    var event = self
    event.srcId = srcId
    event.line = MemberSplice.srcId.setting(to: srcId, in: line)
    return event
  }
}
