import Core
import Foundation

/// A fast reader of logs and trace events, for lines that arrive by the hundred thousand.
///
/// It accepts a line only if every member is known and occurs once, numbers are whole and short,
/// and texts have only the escapes that our encoder writes. It copies the members in the order of
/// their names without decoding them. The result is the same as if the event were decoded and
/// encoded, in a tenth of the time. A line that it rejects may still be a valid event.
public struct QuickReader: ~Copyable {
  /// The known members, sorted by the bytes of their names.
  private enum Member: Int, CaseIterable {
    case agentId, attrs, cause, count, host, id, incidentId, labels, level, message, name
    case parentSpanId, phase, sessionId, skillId, spanId, srcId, swarmId, traceId, ts, type

    static let names = allCases.map { Array("\"\($0)\"".utf8) }

    init?(_ member: LineScanner.Member) {
      let index = Self.names.firstIndex {
        $0.count == member.nameLength && memcmp($0, member.name, $0.count) == 0
      }
      guard let index else { return nil }
      self.init(rawValue: index)
    }
  }

  private typealias Value = LineScanner.Value

  private static let inBoth: Set<Member> = [
    .agentId, .host, .id, .incidentId, .labels, .sessionId, .skillId, .srcId, .swarmId, .ts, .type,
  ]
  private static let onlyInLogs: Set<Member> = [.cause, .count, .level, .message]
  private static let onlyInTraces: Set<Member> = [
    .attrs, .name, .parentSpanId, .phase, .spanId, .traceId,
  ]

  private let scanner = LineScanner()
  private var values = [Value?](repeating: nil, count: Member.allCases.count)

  /// Creates a reader.
  public init() {}

  /// Reads the event in the given line, without its id.
  ///
  /// - Parameters:
  ///   - bytes: The line, without its line feed.
  ///   - owner: The owner of the event, whose name is put before the `srcId`; nil for none.
  /// - Returns: The event; nil if the line must be decoded instead.
  public mutating func event(_ bytes: ArraySlice<UInt8>, ownedBy owner: String?) -> EncodedEvent? {
    let line = bytes + LineScanner.lineEnd
    return line.withUnsafeBufferPointer { line in
      guard let start = line.baseAddress, scan(start) == start + bytes.count else { return nil }
      switch text(.type) {
      case Log.type:
        return encoded(Log.type, [.level, .message], without: Self.onlyInTraces, owner)
      case TraceEvent.type:
        return encoded(
          TraceEvent.type, [.attrs, .name, .spanId], without: Self.onlyInLogs, owner)
      default: return nil
      }
    }
  }

  /// Finds the members of the object in the given line.
  ///
  /// - Returns: The end of the object and of the white space after it; nil if the line is rejected.
  private mutating func scan(_ line: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    var values = [Value?](repeating: nil, count: Member.allCases.count)
    let end = scanner.eachMember(of: LineScanner.afterSpace(line)) { found in
      guard let member = Member(found), values[member.rawValue] == nil else { return false }
      values[member.rawValue] = found.value
      return true
    }
    self.values = values
    return end.map { LineScanner.afterSpace($0) }
  }

  // MARK: Encoding

  private func encoded(
    _ type: String, _ needed: [Member], without others: Set<Member>, _ owner: String?
  ) -> EncodedEvent? {
    guard let ts = self[.ts]?.wholeNumber, let agentId = text(.agentId),
      needed.allSatisfy({ self[$0] != nil }), others.allSatisfy({ self[$0] == nil })
    else { return nil }
    var line = [UInt8(ascii: "{")]
    line.reserveCapacity(512)
    var srcId: String?
    for member in Member.allCases {
      guard let value = self[member] else { continue }
      guard isRight(value, of: member) else { return nil }
      if member == .id { continue }
      if line.count > 1 { line.append(UInt8(ascii: ",")) }
      line += Member.names[member.rawValue]
      line.append(UInt8(ascii: ":"))
      switch member {
      case .attrs, .labels:
        let isText = member == .labels
        guard append(value, to: &line, where: { $0.isText || !isText && $0.isSimple }) else {
          return nil
        }
      case .srcId:
        guard let id = text(.srcId) else { return nil }
        srcId = owner.map { "\($0)/\(id)" } ?? id
        line += JSONString.literal(srcId ?? id)
      default: line += value.bytes
      }
    }
    line.append(UInt8(ascii: "}"))
    let level = text(.level).flatMap { Log.Level(rawValue: $0) }
    return EncodedEvent(
      line: line, type: type, ts: Int64(ts), agentId: agentId, srcId: srcId,
      host: text(.host), isMinor: level.map { $0 < .warn } ?? false)
  }

  /// Returns `true` if the given value has the type that the given member requires.
  private func isRight(_ value: Value, of member: Member) -> Bool {
    switch member {
    case .attrs, .labels: true
    case .count, .ts: value.wholeNumber != nil
    case .host: text(.host).map(EventHost.isName) ?? false
    case .level: text(.level).flatMap { Log.Level(rawValue: $0) } != nil
    case .phase: text(.phase).flatMap { TraceEvent.Phase(rawValue: $0) } != nil
    default: value.isText
    }
  }

  /// Appends the given object to `line`, with its members sorted.
  ///
  /// - Returns: `false` if a name occurs twice or is not ASCII, or if `fits` rejects a value.
  private func append(_ object: Value, to line: inout [UInt8], where fits: (Value) -> Bool) -> Bool
  {
    var members: [(name: UnsafeBufferPointer<UInt8>, value: Value)] = []
    let end = scanner.eachMember(of: object.start) { member in
      let name = UnsafeBufferPointer(start: member.name, count: member.nameLength)
      // A decoder may consider two names equal although their bytes differ.
      guard !member.isNameEscaped, name.allSatisfy({ $0 < 0x80 }), fits(member.value) else {
        return false
      }
      members.append((name, member.value))
      return true
    }
    guard end != nil else { return false }
    // A closing quote sorts after a space, so only the names' contents are compared.
    members.sort { $0.name.dropLast().lexicographicallyPrecedes($1.name.dropLast()) }
    line.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 {
        guard !members[index - 1].name.elementsEqual(member.name) else { return false }
        line.append(UInt8(ascii: ","))
      }
      line += member.name
      line.append(UInt8(ascii: ":"))
      line += member.value.bytes
    }
    line.append(UInt8(ascii: "}"))
    return true
  }

  private subscript(_ member: Member) -> Value? { values[member.rawValue] }

  /// Returns the text of the given member; nil if the line lacks it.
  private func text(_ member: Member) -> String? {
    guard let value = self[member], !value.isEscaped else { return nil }
    return value.inner.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension LineScanner.Value {
  /// `true` if the value is a text whose only escapes are those that our encoder writes.
  fileprivate var isText: Bool {
    guard var rest = inner?[...] else { return false }
    while isEscaped, let index = rest.firstIndex(of: UInt8(ascii: "\\")) {
      guard ![UInt8(ascii: "u"), UInt8(ascii: "/")].contains(rest[index + 1]) else { return false }
      rest = rest[(index + 2)...]
    }
    return true
  }

  /// `true` if the value is a number or Boolean that JSON can write in only one way.
  fileprivate var isSimple: Bool {
    wholeNumber != nil || bytes.elementsEqual("true".utf8) || bytes.elementsEqual("false".utf8)
  }

  /// The value of a nonnegative whole number of at most 15 digits; nil for other values.
  fileprivate var wholeNumber: Int? {
    guard (1...15).contains(length), length == 1 || start.pointee != UInt8(ascii: "0") else {
      return nil
    }
    var number = 0
    for byte in bytes {
      guard byte &- 0x30 < 10 else { return nil }
      number = number * 10 + Int(byte &- 0x30)
    }
    return number
  }
}
