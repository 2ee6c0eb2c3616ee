/// A scanner that validates a line as JSON in one pass and records the places of some members.
///
/// The members are those that filters use. If this scanner rejects a line, Core's scanner decides
/// about it by the same grammar.
///
/// A line must end with a line feed, and seven more bytes after it must be readable. No token
/// contains a line feed, so the line feed stops every loop. Therefore eight bytes can be read at
/// once.
struct LineScanner: ~Copyable {
  typealias Pointer = UnsafePointer<UInt8>

  /// The bytes of a member's value.
  ///
  /// For a string, they include the quotes.
  struct Value {
    var start: Pointer
    var length: Int
    /// `true` if the value is a string that contains escapes.
    var isEscaped: Bool

    /// The bytes of the value.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: length) }
  }

  /// The deepest nesting that is accepted, as in Core's scanner.
  static let maximumDepth = 256
  /// The number of bytes that must be readable at the end of a line, including the line feed.
  static let padding = 8
  /// A line feed followed by the required padding.
  static let lineEnd = [UInt8(ascii: "\n")] + [UInt8](repeating: 0, count: padding)

  /// The line feed at the end of the last scanned line; nil if the line is not a JSON object.
  private(set) var end: Pointer?
  private let values: UnsafeMutablePointer<Value?>
  private let closings: UnsafeMutablePointer<UInt8>
  private var present: UInt32 = 0

  init() {
    values = .allocate(capacity: EventMember.allCases.count)
    values.initialize(repeating: nil, count: EventMember.allCases.count)
    closings = .allocate(capacity: Self.maximumDepth)
    closings.initialize(repeating: 0, count: Self.maximumDepth)
  }

  deinit {
    values.deallocate()
    closings.deallocate()
  }

  /// The values of members in the last scanned line.
  ///
  /// They are valid until the next scan.
  struct Values {
    fileprivate let values: UnsafePointer<Value?>
    fileprivate let present: UInt32

    /// The value of the given member.
    ///
    /// If its name occurs twice, this is the last value.
    @inline(__always)
    subscript(_ member: EventMember) -> Value? {
      present & (1 << UInt32(member.rawValue)) == 0 ? nil : values[member.rawValue]
    }
  }

  /// The values that the last scan found.
  @inline(__always)
  var found: Values { Values(values: values, present: present) }

  /// Returns the places of the members in the line that was scanned last; nil if it is too long.
  func places(in line: Pointer, length: Int) -> MemberPlaces? {
    guard length <= UInt16.max else { return nil }
    var places = MemberPlaces()
    for index in 0..<MemberPlaces.count where present & (1 << UInt32(index)) != 0 {
      guard let value = values[index] else { continue }
      places.present |= 1 << UInt32(index)
      places.escaped |= value.isEscaped ? 1 << UInt32(index) : 0
      places.starts[index] = UInt16(value.start - line)
      places.lengths[index] = UInt16(value.length)
    }
    return places
  }

  /// Sets the values to those at the given places, as if the given line had been scanned.
  mutating func restore(_ places: MemberPlaces, in line: Pointer) {
    present = places.present
    for index in 0..<MemberPlaces.count where present & (1 << UInt32(index)) != 0 {
      values[index] = Value(
        start: line + Int(places.starts[index]), length: Int(places.lengths[index]),
        isEscaped: places.escaped & (1 << UInt32(index)) != 0)
    }
  }

  /// Scans the line at `start`, and sets ``end`` to its line feed.
  ///
  /// - Returns: `true` if the line is one JSON object.
  mutating func scan(_ start: Pointer) -> Bool {
    var found: UInt32 = 0
    let objectEnd = eachMember(of: Self.afterSpace(start)) { member in
      let name = member.name + 1
      let length = member.nameLength - 2
      let known =
        member.isNameEscaped
        ? EventMember(escaped: name, length: length) : EventMember(name, length: length)
      if let known {
        found |= 1 << UInt32(known.rawValue)
        values[known.rawValue] = member.value
      }
      return true
    }
    present = found
    guard let at = objectEnd.map({ Self.afterSpace($0) }) else { return false }
    end = at
    return at.pointee == UInt8(ascii: "\n")
  }

  /// A member of an object in a line.
  struct Member {
    /// The member's name, including its quotes.
    var name: Pointer
    var nameLength: Int
    /// `true` if the name has escapes.
    var isNameEscaped: Bool
    var value: Value
  }

  /// Visits each member of an object.
  ///
  /// - Parameters:
  ///   - start: The start of the object.
  ///   - visit: A function that receives each member and returns `false` to stop.
  /// - Returns: The byte after the object; nil if the object is not valid, or if `visit` returned
  ///   `false`.
  @inline(__always)
  func eachMember(of start: Pointer, _ visit: (Member) -> Bool) -> Pointer? {
    guard start.pointee == UInt8(ascii: "{") else { return nil }
    var at = Self.afterSpace(start + 1)
    if at.pointee == UInt8(ascii: "}") { return at + 1 }
    while true {
      let name = at
      var isNameEscaped = false
      guard name.pointee == UInt8(ascii: "\""),
        let nameEnd = Self.stringEnd(name + 1, &isNameEscaped)
      else { return nil }
      at = Self.afterSpace(nameEnd + 1)
      guard at.pointee == UInt8(ascii: ":") else { return nil }
      at = Self.afterSpace(at + 1)
      var isEscaped = false
      guard let valueEnd = afterValue(at, &isEscaped),
        visit(
          Member(
            name: name, nameLength: nameEnd + 1 - name, isNameEscaped: isNameEscaped,
            value: Value(start: at, length: valueEnd - at, isEscaped: isEscaped)))
      else { return nil }
      at = Self.afterSpace(valueEnd)
      let next = at.pointee
      guard next == UInt8(ascii: ",") else { return next == UInt8(ascii: "}") ? at + 1 : nil }
      at = Self.afterSpace(at + 1)
    }
  }

  @inline(__always)
  private func afterValue(_ start: Pointer, _ isEscaped: inout Bool) -> Pointer? {
    switch start.pointee {
    case UInt8(ascii: "\""): Self.stringEnd(start + 1, &isEscaped).map { $0 + 1 }
    case UInt8(ascii: "{"), UInt8(ascii: "["): afterContainer(start)
    default: Self.afterWord(start)
    }
  }

  /// Skips the object or array at `start`.
  ///
  /// Open brackets are stored in a list instead of on the call stack.
  private func afterContainer(_ start: Pointer) -> Pointer? {
    var at = start
    var depth = 0
    repeat {
      at = Self.afterSpace(at)
      switch at.pointee {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard depth < Self.maximumDepth else { return nil }
        // In ASCII, each closing bracket is two greater than its opening bracket.
        let closing = at.pointee + 2
        at = Self.afterSpace(at + 1)
        guard at.pointee == closing else {
          closings[depth] = closing
          depth += 1
          if closing == UInt8(ascii: "}") {
            guard let next = Self.afterName(at) else { return nil }
            at = next
          }
          continue
        }
        at += 1
      case UInt8(ascii: "\""):
        var isEscaped = false
        guard let last = Self.stringEnd(at + 1, &isEscaped) else { return nil }
        at = last + 1
      default:
        guard let next = Self.afterWord(at) else { return nil }
        at = next
      }
      guard let next = afterClosings(at, &depth) else { return nil }
      at = next
    } while depth > 0
    return at
  }

  /// Skips the closing brackets after a value, and continues to the next value.
  @inline(__always)
  private func afterClosings(_ start: Pointer, _ depth: inout Int) -> Pointer? {
    var at = start
    while depth > 0 {
      at = Self.afterSpace(at)
      let closing = closings[depth - 1]
      let next = at.pointee
      at += 1
      if next == UInt8(ascii: ",") {
        guard closing == UInt8(ascii: "}") else { return at }
        return Self.afterName(Self.afterSpace(at))
      }
      guard next == closing else { return nil }
      depth -= 1
    }
    return at
  }

  @inline(__always)
  private static func afterName(_ start: Pointer) -> Pointer? {
    guard start.pointee == UInt8(ascii: "\"") else { return nil }
    var isEscaped = false
    guard let last = stringEnd(start + 1, &isEscaped) else { return nil }
    let at = afterSpace(last + 1)
    return at.pointee == UInt8(ascii: ":") ? at + 1 : nil
  }
}

/// The places of the members that filters use, in a line shorter than 64 KiB.
///
/// They are found once and then used by all filters.
struct MemberPlaces: Sendable {
  /// The number of members whose places are recorded, in the order of ``EventMember``.
  static let count = 8

  var starts = SIMD8<UInt16>()
  var lengths = SIMD8<UInt16>()
  var present: UInt32 = 0
  var escaped: UInt32 = 0
}
