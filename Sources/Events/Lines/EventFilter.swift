public import Core
import Foundation

/// Which events are wanted; an event has to meet every condition that is set.
///
/// An event that does not have a member meets no condition on it. Of members with one name the
/// last counts, and only those of the outermost object.
public struct EventFilter: Sendable {
  /// How grave an event has to be at least.
  ///
  /// A log is judged by its level, a trace event as an error or as `info`, a metric as `info`;
  /// decisions, controls, alerts and gaps are never too little.
  public var level: Log.Level?
  /// The values of `type` wanted; empty for all.
  public var types: [String] = []
  /// The values of `swarmId` wanted; empty for all.
  public var swarms: [String] = []
  /// The values of `agentId` wanted; empty for all.
  public var agents: [String] = []
  /// The values of `skillId` wanted; empty for all.
  public var skills: [String] = []
  /// The values of `incidentId` wanted; empty for all.
  public var incidents: [String] = []
  /// The earliest `ts` wanted.
  public var since: Timestamp?
  /// The latest `ts` wanted.
  public var until: Timestamp?
  /// A text that the line has to hold, as it came.
  public var match: String?
  /// Whether what tells of events that are missing is wanted, whatever else is: a `gap`, and what is
  /// `suppressed`.
  public var takesLosses = false

  /// The types of what the event log gives.
  public static let logTypes = [
    Alert.type, ApprovalGate.type, Control.type, Gap.type, Log.type, Metric.type, TraceEvent.type,
  ]

  /// Whether a text has the form of the id of an event.
  public static func isId(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      && parts[0].utf8.allSatisfy { $0.isDigit || $0.isLetter }
      && parts[1].utf8.allSatisfy(\.isDigit)
  }

  /// A filter that every event passes.
  public init() {}
}

/// A filter made ready to be asked about many lines.
struct PreparedFilter {
  /// A member that has to be one of some texts.
  private struct Choice {
    var member: EventMember
    var texts: [[UInt8]]
  }

  private let choices: [Choice]
  /// The least grave level wanted, and the names of it and of those above it.
  private let least: (level: Log.Level, names: [[UInt8]])?
  private let since: Double
  private let until: Double
  private let hasTimes: Bool
  private let search: ByteSearch?
  private let takesLosses: Bool

  init(_ filter: EventFilter) {
    let wanted: [(EventMember, [String])] = [
      (.type, filter.types),
      (.agentId, filter.agents), (.swarmId, filter.swarms), (.skillId, filter.skills),
      (.incidentId, filter.incidents),
    ]
    choices = wanted.filter { !$0.1.isEmpty }
      .map { Choice(member: $0.0, texts: $0.1.map { Array($0.utf8) }) }
    least = filter.level.map { level in
      (level, Log.Level.allCases.filter { $0 >= level }.map { Array($0.rawValue.utf8) })
    }
    // Exact: a Double holds every millisecond of 285,000 years.
    since = filter.since.map { Double($0.milliseconds) } ?? -.infinity
    until = filter.until.map { Double($0.milliseconds) } ?? .infinity
    hasTimes = filter.since != nil || filter.until != nil
    search = filter.match.map { ByteSearch(Array($0.utf8)) }
    takesLosses = filter.takesLosses
  }

  /// Whether every event is wanted.
  var wantsAll: Bool { choices.isEmpty && least == nil && !hasTimes && search == nil }

  /// Whether an event is as grave as is wanted.
  private func isGrave(_ values: LineScanner.Values) -> Bool {
    guard let least else { return true }
    if let level = values[.level] { return level.isOne(of: least.names) }
    guard let type = values[.type] else { return false }
    if type.equals("traceEvent") {
      return (values[.attrs]?.tellsError == true ? .error : .info) >= least.level
    }
    if type.equals("metric") { return .info >= least.level }
    return EventLine.keptTypes.contains { type.equals($0) }
  }

  /// Whether a line with these values is wanted.
  func matches(_ values: LineScanner.Values, _ line: UnsafeBufferPointer<UInt8>) -> Bool {
    if meets(values, line) { return true }
    guard takesLosses, let type = values[.type] else { return false }
    return type.equals("gap") || type.equals("suppressed")
  }

  /// Whether such a line meets every condition.
  private func meets(
    _ values: LineScanner.Values, _ line: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    for choice in choices {
      guard let value = values[choice.member], value.isOne(of: choice.texts) else {
        return false
      }
    }
    guard isGrave(values) else { return false }
    if hasTimes {
      guard let time = values[.ts]?.number, since <= time, time <= until else {
        return false
      }
    }
    return search?.isFound(in: line) ?? true
  }
}

extension LineScanner.Value {
  /// The inside of a string; nil for another value.
  @inline(__always)
  var inner: UnsafeBufferPointer<UInt8>? {
    guard start.pointee == UInt8(ascii: "\"") else { return nil }
    return UnsafeBufferPointer(start: start + 1, count: length - 2)
  }

  /// Whether the value is one of some texts.
  @inline(__always)
  func isOne(of texts: [[UInt8]]) -> Bool {
    for text in texts where text.withUnsafeBufferPointer(equals) { return true }
    return false
  }

  /// Whether the value is a text.
  @inline(__always)
  func equals(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let inner else { return false }
    guard !isEscaped else { return EscapedText.equals(inner, text) }
    guard inner.count == text.count else { return false }
    guard let left = inner.baseAddress, let right = text.baseAddress else { return true }
    return memcmp(left, right, text.count) == 0
  }

  /// Whether the value is a text that needs no escapes.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    equals(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private static let errorType = ByteSearch(Array("\"\(EventAttribute.errorType.rawValue)\"".utf8))

  /// Whether it is an object of attributes among which there is that of an error.
  var tellsError: Bool {
    let bytes = UnsafeBufferPointer(start: start, count: length)
    guard start.pointee == UInt8(ascii: "{"),
      Self.errorType.isFound(in: bytes) || bytes.contains(UInt8(ascii: "\\"))
    else { return false }
    return RawRecord(object: String(decoding: bytes, as: UTF8.self))?
      .contains(EventAttribute.errorType.rawValue) ?? false
  }

  /// The value of a number, as jq has it; nil for another value.
  var number: Double? {
    guard start.pointee &- 0x30 < 10 || start.pointee == UInt8(ascii: "-") else { return nil }
    guard length > 15 || start.pointee == UInt8(ascii: "-") else {
      var whole = 0
      for index in 0..<length {
        guard start[index] &- 0x30 < 10 else { return slowNumber }
        whole = whole &* 10 &+ Int(start[index] &- 0x30)
      }
      return Double(whole)
    }
    return slowNumber
  }

  private var slowNumber: Double {
    // The number was checked, and what follows is no part of one: strtod(3) stops there.
    UnsafeRawPointer(start).withMemoryRebound(to: CChar.self, capacity: length) {
      strtod($0, nil)
    }
  }
}
