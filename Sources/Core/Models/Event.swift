/// A record that an event log keeps.
public protocol Event: StreamRecord {
  /// The event's id, once a log has stored it: `<epoch>-<sequence>`.
  var id: String? { get set }
  /// When it happened, in milliseconds since 1970.
  var ts: Int64 { get }
}

extension ApprovalGate: Event {}
extension Log: Event {}
extension TraceEvent: Event {}
