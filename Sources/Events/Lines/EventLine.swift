import Core

/// A line of a source, together with the values of its members.
///
/// It is valid only during the call that receives it.
public struct EventLine {
  /// The bytes of the record, without a line end.
  public let bytes: UnsafeBufferPointer<UInt8>
  /// The number of the line, counted from 1.
  let number: Int
  /// The values of the members.
  let values: LineScanner.Values
}

extension EventLine {
  /// The types of events that are never suppressed.
  static let exemptTypes: [StaticString] = [
    "approvalGate", "control", "controlReceipt", "decisionReceipt", "gap", "suppressed", "alert",
    "incident", "error",
  ]

  private static let levels: [(name: StaticString, level: Log.Level)] = [
    ("debug", .debug), ("info", .info), ("warn", .warn), ("error", .error), ("critical", .critical),
  ]

  /// The event's level; nil if it is missing or unknown.
  var level: Log.Level? {
    guard let value = values[.level] else { return nil }
    return Self.levels.first { value.equals($0.name) }?.level
  }

  /// `true` if the event is never suppressed: an error, a decision, or a report of missing events.
  var isExempt: Bool {
    if let level, level >= .error { return true }
    return Self.exemptTypes.contains { values[.type]?.equals($0) ?? false }
  }

  /// `true` if the event reports missing events.
  var isGap: Bool { values[.type]?.equals("gap") ?? false }

  private var isLog: Bool { values[.type]?.equals("log") ?? false }

  /// The number of events that the line represents.
  ///
  /// It is the `count` of a log record, and 1 otherwise.
  var weight: Int {
    guard isLog, let count = values[.count], count.length <= 15, let number = count.number,
      let weight = Int(exactly: number)
    else { return 1 }
    return max(1, weight)
  }

  /// The line without its time and id; nil if the event must not be merged.
  ///
  /// Two log records with equal identities may be merged.
  var identity: [UInt8]? {
    guard isLog, values[.message] != nil, values[.count] == nil, !isExempt,
      let start = bytes.baseAddress
    else { return nil }
    var identity: [UInt8] = []
    identity.reserveCapacity(bytes.count)
    var at = start
    for value in [values[.ts], values[.id]].compactMap(\.self).sorted(by: { $0.start < $1.start }) {
      identity.append(contentsOf: UnsafeBufferPointer(start: at, count: value.start - at))
      at = value.start + value.length
    }
    identity.append(contentsOf: UnsafeBufferPointer(start: at, count: start + bytes.count - at))
    return identity
  }
}
