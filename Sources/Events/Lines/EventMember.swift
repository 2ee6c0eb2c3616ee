import Foundation

/// The members of an event's outermost object that filters and views use.
enum EventMember: Int, CaseIterable {
  case type, level, ts, attrs, swarmId, agentId, skillId, incidentId
  // Filters do not use the following members.
  case id, count, message

  /// The name of the member.
  var name: StaticString {
    switch self {
    case .type: "type"
    case .level: "level"
    case .ts: "ts"
    case .id: "id"
    case .count: "count"
    case .attrs: "attrs"
    case .swarmId: "swarmId"
    case .agentId: "agentId"
    case .skillId: "skillId"
    case .incidentId: "incidentId"
    case .message: "message"
    }
  }

  /// Creates the member with the given name; the name must not contain escapes.
  ///
  /// The compiler turns each comparison into comparisons of machine words.
  @inline(__always)
  init?(_ name: UnsafePointer<UInt8>, length: Int) {
    switch length {
    case 2:
      if Self.equal(name, "ts") {
        self = .ts
      } else if Self.equal(name, "id") {
        self = .id
      } else {
        return nil
      }
    case 4:
      guard Self.equal(name, "type") else { return nil }
      self = .type
    case 5:
      if Self.equal(name, "level") {
        self = .level
      } else if Self.equal(name, "count") {
        self = .count
      } else if Self.equal(name, "attrs") {
        self = .attrs
      } else {
        return nil
      }
    case 7:
      if Self.equal(name, "agentId") {
        self = .agentId
      } else if Self.equal(name, "swarmId") {
        self = .swarmId
      } else if Self.equal(name, "message") {
        self = .message
      } else if Self.equal(name, "skillId") {
        self = .skillId
      } else {
        return nil
      }
    case 10:
      guard Self.equal(name, "incidentId") else { return nil }
      self = .incidentId
    default: return nil
    }
  }

  /// Creates the member with the given name, which may contain escapes.
  init?(escaped name: UnsafePointer<UInt8>, length: Int) {
    let text = UnsafeBufferPointer(start: name, count: length)
    let found = Self.allCases.first { member in
      EscapedText.equals(
        text,
        UnsafeBufferPointer(
          start: member.name.utf8Start, count: member.name.utf8CodeUnitCount))
    }
    guard let found else { return nil }
    self = found
  }

  @inline(__always)
  private static func equal(_ name: UnsafePointer<UInt8>, _ text: StaticString) -> Bool {
    memcmp(name, text.utf8Start, text.utf8CodeUnitCount) == 0
  }
}
