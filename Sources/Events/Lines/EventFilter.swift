public import Core
import Foundation

/// A filter for events.
///
/// An event passes if it meets all conditions. An event that lacks a member does not meet a
/// condition on that member. Only members of the outermost object count. If a name occurs twice,
/// its last value counts.
public struct EventFilter: Sendable {
  /// The lowest level that passes; nil to accept all.
  ///
  /// A trace event has the level `error` if it has an error, and `info` otherwise. A metric has the
  /// level `info`. Decisions, controls, alerts and gaps always pass.
  public var level: Log.Level?
  /// The accepted values of `type`; empty to accept all.
  public var types: [String] = []
  /// The accepted values of `swarmId`; empty to accept all.
  public var swarms: [String] = []
  /// The accepted values of `agentId`; empty to accept all.
  public var agents: [String] = []
  /// The accepted values of `skillId`; empty to accept all.
  public var skills: [String] = []
  /// The accepted values of `incidentId`; empty to accept all.
  public var incidents: [String] = []
  /// The earliest `ts` that passes; nil for no limit.
  public var since: Timestamp?
  /// The latest `ts` that passes; nil for no limit.
  public var until: Timestamp?
  /// A text that the event's line must contain, byte for byte.
  public var match: String?
  /// `true` if records that report missing events always pass.
  ///
  /// Their types are `gap` and `suppressed`.
  public var includesLosses = false

  /// The types of records that the event log contains.
  public static let logTypes = [
    Alert.type, ApprovalGate.type, Control.type, Gap.type, Log.type, Metric.type, TraceEvent.type,
  ]

  /// Returns `true` if the given text has the form of an event's id.
  public static func isId(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      && parts[0].utf8.allSatisfy { $0.isDigit || $0.isLetter }
      && parts[1].utf8.allSatisfy(\.isDigit)
  }

  /// Creates a filter that accepts every event.
  public init() {}
}

/// A filter in a form that matches many lines quickly.
struct PreparedFilter {
  /// A condition: the value of a member must be one of the given texts.
  private struct Choice {
    var member: EventMember
    var texts: [[UInt8]]
  }

  private let choices: [Choice]
  /// The lowest level that passes, and the names of it and of all higher levels.
  private let least: (level: Log.Level, names: [[UInt8]])?
  private let since: Double
  private let until: Double
  private let hasTimes: Bool
  private let search: ByteSearch?
  private let includesLosses: Bool

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
    // The conversion is exact: a Double represents every millisecond of 285,000 years.
    since = filter.since.map { Double($0.milliseconds) } ?? -.infinity
    until = filter.until.map { Double($0.milliseconds) } ?? .infinity
    hasTimes = filter.since != nil || filter.until != nil
    search = filter.match.map { ByteSearch(Array($0.utf8)) }
    includesLosses = filter.includesLosses
  }

  /// `true` if the filter accepts every event.
  var wantsAll: Bool { choices.isEmpty && least == nil && !hasTimes && search == nil }

  /// Returns `true` if the level of an event with the given values is high enough.
  private func isGrave(_ values: LineScanner.Values) -> Bool {
    guard let least else { return true }
    if let level = values[.level] { return level.isOne(of: least.names) }
    guard let type = values[.type] else { return false }
    if type.equals("traceEvent") {
      return (values[.attrs]?.hasError == true ? .error : .info) >= least.level
    }
    if type.equals("metric") { return .info >= least.level }
    return EventLine.exemptTypes.contains { type.equals($0) }
  }

  /// Returns `true` if the given line passes the filter.
  ///
  /// `values` are the values of its members.
  func matches(_ values: LineScanner.Values, _ line: UnsafeBufferPointer<UInt8>) -> Bool {
    if meets(values, line) { return true }
    guard includesLosses, let type = values[.type] else { return false }
    return type.equals("gap") || type.equals("suppressed")
  }

  /// Returns `true` if the given line meets every condition.
  ///
  /// `values` are the values of its members.
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
  /// The bytes between the quotes of a string; nil for other values.
  @inline(__always)
  var inner: UnsafeBufferPointer<UInt8>? {
    guard start.pointee == UInt8(ascii: "\"") else { return nil }
    return UnsafeBufferPointer(start: start + 1, count: length - 2)
  }

  /// Returns `true` if the value is a string that equals one of the given texts.
  @inline(__always)
  func isOne(of texts: [[UInt8]]) -> Bool {
    for text in texts where text.withUnsafeBufferPointer(equals) { return true }
    return false
  }

  /// Returns `true` if the value is a string that equals the given text.
  @inline(__always)
  func equals(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let inner else { return false }
    guard !isEscaped else { return EscapedText.equals(inner, text) }
    guard inner.count == text.count else { return false }
    guard let left = inner.baseAddress, let right = text.baseAddress else { return true }
    return memcmp(left, right, text.count) == 0
  }

  /// Returns `true` if the value is a string that has no escapes and equals the given text.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    equals(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private static let errorType = ByteSearch(Array("\"\(EventAttribute.errorType.rawValue)\"".utf8))

  /// `true` if the value is an object that contains an attribute of an error.
  var hasError: Bool {
    let bytes = UnsafeBufferPointer(start: start, count: length)
    guard start.pointee == UInt8(ascii: "{"),
      Self.errorType.isFound(in: bytes) || bytes.contains(UInt8(ascii: "\\"))
    else { return false }
    return RawRecord(object: String(decoding: bytes, as: UTF8.self))?
      .contains(EventAttribute.errorType.rawValue) ?? false
  }

  /// The value of a number, converted as jq does; nil for other values.
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
    // The number was validated, so strtod(3) stops at the first byte after it.
    UnsafeRawPointer(start).withMemoryRebound(to: CChar.self, capacity: length) {
      strtod($0, nil)
    }
  }
}
