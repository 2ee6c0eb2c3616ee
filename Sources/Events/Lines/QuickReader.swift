public import Core
import Foundation

/// Reads the events that come by the hundred thousand: logs and trace events whose members are all
/// known and come once, whose texts have no escapes, and whose numbers are whole and short.
///
/// What it reads is what the type's `init(_:)` reads of the same line, in a tenth of the time. It
/// decides about nothing else: what it leaves may be an event all the same.
public struct QuickReader {
  /// The members that it knows.
  private enum Member: Int, CaseIterable {
    case agentId, attrs, count, id, incidentId, labels, level, message, name, parentSpanId, phase
    case sessionId, skillId, spanId, srcId, swarmId, traceId, ts, type

    static let names: [StaticString] = [
      "agentId", "attrs", "count", "id", "incidentId", "labels", "level", "message", "name",
      "parentSpanId", "phase", "sessionId", "skillId", "spanId", "srcId", "swarmId", "traceId",
      "ts", "type",
    ]

    init?(_ name: UnsafePointer<UInt8>, _ length: Int) {
      let index = Self.names.firstIndex {
        $0.utf8CodeUnitCount == length && memcmp($0.utf8Start, name, length) == 0
      }
      guard let index else { return nil }
      self.init(rawValue: index)
    }

    var bit: UInt32 { 1 << UInt32(rawValue) }
  }

  private typealias Pointer = UnsafePointer<UInt8>
  private typealias Value = UnsafeBufferPointer<UInt8>

  private static let inBoth = mask([
    .agentId, .id, .incidentId, .labels, .sessionId, .skillId, .srcId, .swarmId, .ts, .type,
  ])
  private static let ofLog = inBoth | mask([.count, .level, .message])
  private static let ofTrace =
    inBoth | mask([.attrs, .name, .parentSpanId, .phase, .spanId, .traceId])

  private static let end = [UInt8(ascii: "\n")] + [UInt8](repeating: 0, count: LineScanner.padding)

  private var values = [Value](
    repeating: Value(start: nil, count: 0), count: Member.allCases.count)
  private var present: UInt32 = 0

  /// Prepares to read.
  public init() {}

  /// Reads the event of a line.
  ///
  /// - Parameter bytes: The line, without its line feed.
  /// - Returns: Nil for what is to be read by the type's `init(_:)`.
  public mutating func event(_ bytes: ArraySlice<UInt8>) -> (any Event)? {
    var line: [UInt8] = []
    line.reserveCapacity(bytes.count + Self.end.count)
    line += bytes
    line += Self.end
    return line.withUnsafeBufferPointer { line in
      guard let start = line.baseAddress, scan(start) == start + bytes.count, has(.type) else {
        return nil
      }
      let type = values[Member.type.rawValue]
      if Self.equal(type, "\"log\"") { return log }
      return Self.equal(type, "\"traceEvent\"") ? traceEvent : nil
    }
  }

  private static func mask(_ members: [Member]) -> UInt32 { members.reduce(0) { $0 | $1.bit } }

  private static func equal(_ value: Value, _ text: StaticString) -> Bool {
    value.count == text.utf8CodeUnitCount
      && value.baseAddress.map { memcmp($0, text.utf8Start, value.count) == 0 } ?? false
  }

  // MARK: Events

  private var log: Log? {
    guard present & ~Self.ofLog == 0, let ts, let agent = text(.agentId),
      let level = text(.level).flatMap({ Log.Level(rawValue: $0) }), let message = text(.message)
    else { return nil }
    var event = Log(ts: ts, agentId: agent, level: level, message: message)
    guard setHead(&event.head), areTexts([.sessionId, .skillId, .incidentId]) else { return nil }
    event.body.sessionId = text(.sessionId)
    event.body.skillId = text(.skillId)
    event.body.incidentId = text(.incidentId)
    if has(.count) {
      guard let count = Self.number(values[Member.count.rawValue]) else { return nil }
      event.body.count = count
    }
    return event
  }

  private var traceEvent: TraceEvent? {
    guard present & ~Self.ofTrace == 0, let ts, let agent = text(.agentId),
      let spanId = text(.spanId), let name = text(.name), has(.attrs),
      let attrs = Self.members(of: values[Member.attrs.rawValue], Self.value)
    else { return nil }
    var event = TraceEvent(ts: ts, agentId: agent, spanId: spanId, name: name, attrs: attrs)
    guard setHead(&event.head),
      areTexts([.sessionId, .skillId, .incidentId, .traceId, .parentSpanId])
    else { return nil }
    event.body.sessionId = text(.sessionId)
    event.body.skillId = text(.skillId)
    event.body.incidentId = text(.incidentId)
    event.body.traceId = text(.traceId)
    event.body.parentSpanId = text(.parentSpanId)
    if has(.phase) {
      guard let phase = text(.phase).flatMap({ TraceEvent.Phase(rawValue: $0) }) else { return nil }
      event.body.phase = phase
    }
    return event
  }

  private var ts: Int64? {
    has(.ts) ? Self.number(values[Member.ts.rawValue]).map { Int64($0) } : nil
  }

  /// Sets what all events share, but for the instant and the agent.
  private func setHead(_ head: inout EventHead) -> Bool {
    guard areTexts([.id, .srcId, .swarmId]) else { return false }
    (head.id, head.srcId, head.swarmId) = (text(.id), text(.srcId), text(.swarmId))
    guard has(.labels) else { return true }
    head.labels = Self.members(of: values[Member.labels.rawValue], Self.text)
    return head.labels != nil
  }

  // MARK: Values

  private func has(_ member: Member) -> Bool { present & member.bit != 0 }

  private func text(_ member: Member) -> String? {
    has(member) ? Self.text(values[member.rawValue]) : nil
  }

  /// Whether these are texts, as far as they are there.
  private func areTexts(_ members: [Member]) -> Bool {
    members.allSatisfy {
      !has($0) || values[$0.rawValue].first == UInt8(ascii: "\"")
    }
  }

  /// A text, which has no escapes and is UTF-8: that was seen to.
  private static func text(_ value: Value) -> String? {
    guard value.first == UInt8(ascii: "\"") else { return nil }
    return String(decoding: Value(rebasing: value[1..<(value.count - 1)]), as: UTF8.self)
  }

  /// A whole number that is not negative and has at most 15 digits.
  private static func number(_ value: Value) -> Int? {
    guard (1...15).contains(value.count), value.count == 1 || value[0] != UInt8(ascii: "0") else {
      return nil
    }
    var number = 0
    for byte in value {
      guard byte &- 0x30 < 10 else { return nil }
      number = number * 10 + Int(byte &- 0x30)
    }
    return number
  }

  private static func value(_ value: Value) -> JSONValue? {
    if let text = text(value) { return .string(text) }
    if let number = number(value) { return .int(number) }
    if equal(value, "true") { return .bool(true) }
    return equal(value, "false") ? .bool(false) : nil
  }

  /// The members of an object; nil where two have one name, or a value is none that is read.
  private static func members<Read>(
    of object: Value, _ read: (Value) -> Read?
  ) -> [String: Read]? {
    guard let start = object.baseAddress, start.pointee == UInt8(ascii: "{") else { return nil }
    var found: [String: Read] = [:]
    let end = eachMember(start, isInner: true) { name, value in
      guard let text = text(name), let value = read(value) else { return false }
      return found.updateValue(value, forKey: text) == nil
    }
    return end == nil ? nil : found
  }

  // MARK: Scanning

  /// Finds the members.
  ///
  /// - Returns: Where nothing but white space follows the object any more.
  private mutating func scan(_ line: Pointer) -> Pointer? {
    present = 0
    let start = LineScanner.afterSpace(line)
    guard start.pointee == UInt8(ascii: "{") else { return nil }
    let end = Self.eachMember(start, isInner: false) { name, value in
      guard let first = name.baseAddress, let member = Member(first + 1, name.count - 2),
        present & member.bit == 0
      else { return false }
      present |= member.bit
      values[member.rawValue] = value
      return true
    }
    return end.map { LineScanner.afterSpace($0) }
  }

  /// Hands on each member of an object: its name and its value as they stand there.
  ///
  /// An inner object may hold no other.
  ///
  /// - Returns: The byte behind the object; nil where it is none, or `take` wants no more.
  private static func eachMember(
    _ start: Pointer, isInner: Bool, _ take: (Value, Value) -> Bool
  ) -> Pointer? {
    var at = LineScanner.afterSpace(start + 1)
    if at.pointee == UInt8(ascii: "}") { return at + 1 }
    while true {
      guard let nameEnd = afterText(at) else { return nil }
      let name = Value(start: at, count: nameEnd - at)
      at = LineScanner.afterSpace(nameEnd)
      guard at.pointee == UInt8(ascii: ":") else { return nil }
      at = LineScanner.afterSpace(at + 1)
      guard let end = afterValue(at, isInner: isInner),
        take(name, Value(start: at, count: end - at))
      else { return nil }
      at = LineScanner.afterSpace(end)
      let next = at.pointee
      guard next == UInt8(ascii: ",") else {
        return next == UInt8(ascii: "}") ? at + 1 : nil
      }
      at = LineScanner.afterSpace(at + 1)
    }
  }

  /// Passes a text without escapes.
  private static func afterText(_ at: Pointer) -> Pointer? {
    guard at.pointee == UInt8(ascii: "\"") else { return nil }
    var isEscaped = false
    let end = LineScanner.stringEnd(at + 1, &isEscaped)
    return isEscaped ? nil : end.map { $0 + 1 }
  }

  private static func afterValue(_ at: Pointer, isInner: Bool) -> Pointer? {
    switch at.pointee {
    case UInt8(ascii: "\""): afterText(at)
    case UInt8(ascii: "{"): isInner ? nil : eachMember(at, isInner: true) { _, _ in true }
    default: LineScanner.afterWord(at)
    }
  }
}
