public import Core

/// The types of events that a log stores.
public enum EventTypes {
  /// All types.
  public static let all: [any Event.Type] = [
    TraceEvent.self, Log.self, Metric.self, ApprovalGate.self, Control.self, Alert.self,
  ]

  /// Reads an event of any type.
  ///
  /// - Parameter raw: The record.
  /// - Returns: The event; nil for a record that is not an event.
  /// - Throws: `BadInput` for a malformed event.
  public static func event(_ raw: RawRecord) throws(Failure) -> (any Event)? {
    guard let type = all.first(where: { $0.type == raw.type }) else { return nil }
    return try type.init(raw)
  }
}
