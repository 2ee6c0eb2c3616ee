public import Core

/// An event in the form of its line, encoded once on creation, with the members that logs index and
/// that decide about its forwarding.
public struct EncodedEvent: Sendable, Hashable {
  /// The record as a line without a line end or `id`, with members sorted by their bytes.
  public private(set) var line: [UInt8]
  /// The record's type.
  public let type: String
  /// The instant of the event, in milliseconds since 1970.
  public let ts: Int64
  /// The agent that the event is about.
  public let agentId: String?
  /// The id by which a log stores the event once.
  public private(set) var srcId: String?
  /// `true` for a log below `warn`, which is dropped first if there is no room for all events.
  public let isMinor: Bool
  /// `true` for an event that agents report to a hub: a trace event, log, metric or pending gate.
  ///
  /// Decisions are reported by the hub itself.
  public let isReport: Bool

  /// Encodes an event without its id.
  ///
  /// - Throws: `BadInput` for an event that JSON cannot represent.
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

  /// Creates the event from the validated line of a log or trace event.
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
