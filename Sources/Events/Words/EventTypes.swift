public import Core

/// The types of events that a log stores.
public enum EventTypes {
  /// The types of all events.
  public static let all: [any Event.Type] = [
    TraceEvent.self, Log.self, Metric.self, ApprovalGate.self, Control.self, Alert.self,
  ]

  /// Returns the event in the given record.
  ///
  /// It may be of any type.
  ///
  /// - Parameter raw: The record.
  /// - Returns: The event; nil if the record is not an event.
  /// - Throws: `BadInput` if the event is malformed.
  public static func event(_ raw: RawRecord) throws(Failure) -> (any Event)? {
    guard let type = all.first(where: { $0.type == raw.type }) else { return nil }
    return try type.init(raw)
  }
}
