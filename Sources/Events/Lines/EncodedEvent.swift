public import Core

/// An event as the line that it travels as: encoded once, where it is created, with the members that
/// logs index and that decide where it may go.
public struct EncodedEvent: Sendable, Hashable {
  /// The record as one line without a line end and without an `id`, its members sorted by their bytes.
  public private(set) var line: [UInt8]
  /// The record's type.
  public let type: String
  /// The instant of the event, in milliseconds since 1970.
  public let ts: Int64
  /// The agent it is about.
  public let agentId: String?
  /// The id by which a log takes the event once.
  public private(set) var srcId: String?
  /// `true` for a log below `warn`: where there is no room for all, these are dropped.
  public let isMinor: Bool
  /// `true` for what agents report to a hub: a trace event, a log, a metric, or a gate that waits.
  ///
  /// A hub reports decisions itself.
  public let isReport: Bool

  /// Encodes an event; its id is left out.
  ///
  /// - Throws: `BadInput` for an event that JSON cannot express.
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

  /// Takes the line of a log or a trace event that was checked.
  init(line: [UInt8], type: String, ts: Int64, agentId: String, srcId: String?, isMinor: Bool) {
    (self.line, self.type, self.ts) = (line, type, ts)
    (self.agentId, self.srcId, self.isMinor) = (agentId, srcId, isMinor)
    isReport = true
  }

  /// Returns the event with a `srcId`.
  public func with(srcId: String) -> EncodedEvent {
    var event = self
    event.srcId = srcId
    event.line = MemberSplice.srcId.setting(to: srcId, in: line)
    return event
  }
}
