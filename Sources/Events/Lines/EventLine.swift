import Core

/// One event as it came, for as long as the call lasts that it was handed to.
public struct EventLine {
  /// The record without its line end.
  public let bytes: UnsafeBufferPointer<UInt8>
  /// The number of its line, from 1.
  let number: Int
  /// Where its members lie.
  let values: LineScanner.Values
}

extension EventLine {
  /// The types that are never left out, whatever comes in how fast.
  static let keptTypes: [StaticString] = [
    "approvalGate", "control", "controlReceipt", "decisionReceipt", "gap", "suppressed", "alert",
    "incident", "error",
  ]

  private static let levels: [(name: StaticString, level: Log.Level)] = [
    ("debug", .debug), ("info", .info), ("warn", .warn), ("error", .error), ("critical", .critical),
  ]

  /// The event's level; nil for none, or one that is not known.
  var level: Log.Level? {
    guard let value = values[.level] else { return nil }
    return Self.levels.first { value.equals($0.name) }?.level
  }

  /// Whether it is never left out: an error, a decision, or what tells of others that are missing.
  var isKept: Bool {
    if let level, level >= .error { return true }
    return Self.keptTypes.contains { values[.type]?.equals($0) ?? false }
  }

  /// Whether it tells of events that are missing.
  var isGap: Bool { values[.type]?.equals("gap") ?? false }

  private var isLog: Bool { values[.type]?.equals("log") ?? false }

  /// For how many events it stands: a log may tell a `count`.
  var weight: Int {
    guard isLog, let count = values[.count], count.length <= 15, let number = count.number,
      let weight = Int(exactly: number)
    else { return 1 }
    return max(1, weight)
  }

  /// The event without its instant and its id, for a log that may stand for others; nil for an
  /// event that is told by itself.
  var identity: [UInt8]? {
    guard isLog, values[.message] != nil, values[.count] == nil, !isKept,
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
