/// A record that an event log keeps.
public protocol Event: StreamRecord {
  /// The event's id, once a log has stored it: `<epoch>-<sequence>`.
  var id: String? { get set }
  /// The producer's own id; a log takes an event with one only once.
  var srcId: String? { get set }
  /// When it happened, in milliseconds since 1970.
  var ts: Int64 { get }
  /// The agent it is found by: who did it, or whom it is about.
  var logAgentId: String? { get }
  /// The line that `line()` gives, where there is a faster way to it; else nil.
  var quickLine: [UInt8]? { get }
}

extension Event {
  /// There is no faster way.
  public var quickLine: [UInt8]? { nil }
}

extension Alert: Event {
  /// The agent that the alert is about.
  public var logAgentId: String? { agentId }
}

extension ApprovalGate: Event {
  /// The agent that waits.
  public var logAgentId: String? { agentId }
}

extension Control: Event {
  /// The agent that was asked.
  public var logAgentId: String? { agentId }
}

extension Log: Event {
  /// The agent that says it.
  public var logAgentId: String? { agentId }
}

extension Metric: Event {
  /// The agent that was measured.
  public var logAgentId: String? { agentId }
}

extension TraceEvent: Event {
  /// The agent that does it.
  public var logAgentId: String? { agentId }
}
