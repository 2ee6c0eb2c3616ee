/// Checks a line as JSON in one pass over its bytes, and notes where the members lie that filters
/// look at.
///
/// The grammar is that of Core's scanner, which decides over every line that this one refuses.
/// A line must end with a line feed, and seven more bytes must be readable behind it: no token
/// holds a line feed, so that it stops every loop, and eight bytes are looked at at once.
struct LineScanner: ~Copyable {
  typealias Pointer = UnsafePointer<UInt8>

  /// The value of a member: its bytes, quotes included.
  struct Value {
    var start: Pointer
    var length: Int
    /// Whether it is a string with escapes.
    var isEscaped: Bool

    /// The bytes.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: length) }
  }

  /// As Core's scanner has it.
  static let maximumDepth = 256
  /// The bytes that must be readable from a line's line feed on.
  static let padding = 8
  /// A line feed, and what must be readable behind it.
  static let lineEnd = [UInt8(ascii: "\n")] + [UInt8](repeating: 0, count: padding)

  /// The line feed of the line that was scanned last; nil if that is no JSON object.
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

  /// The values of the line scanned last, until the next is.
  struct Values {
    fileprivate let values: UnsafePointer<Value?>
    fileprivate let present: UInt32

    /// The value of a member; of two with one name the later one.
    @inline(__always)
    subscript(_ member: EventMember) -> Value? {
      present & (1 << UInt32(member.rawValue)) == 0 ? nil : values[member.rawValue]
    }
  }

  /// Where the members lie.
  @inline(__always)
  var found: Values { Values(values: values, present: present) }

  /// The places of the members that filters look at, in a line that was scanned; nil where they do not
  /// fit.
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

  /// Takes places over as if the line had been scanned.
  mutating func take(_ places: MemberPlaces, in line: Pointer) {
    present = places.present
    for index in 0..<MemberPlaces.count where present & (1 << UInt32(index)) != 0 {
      values[index] = Value(
        start: line + Int(places.starts[index]), length: Int(places.lengths[index]),
        isEscaped: places.escaped & (1 << UInt32(index)) != 0)
    }
  }

  /// Whether the line that begins here is one JSON object; ``end`` is then its line feed.
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

  /// One member as it stands in a line.
  struct Member {
    /// The name with its quotes.
    var name: Pointer
    var nameLength: Int
    /// `true` if the name has escapes.
    var isNameEscaped: Bool
    var value: Value
  }

  /// Hands on each member of an object.
  ///
  /// - Parameters:
  ///   - start: Where the object begins.
  ///   - take: Is given each member; returns whether to go on.
  /// - Returns: The byte behind the object; nil for anything else, or if `take` ended the walk.
  @inline(__always)
  func eachMember(of start: Pointer, _ take: (Member) -> Bool) -> Pointer? {
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
        take(
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

  /// Passes an object or an array; brackets are kept on a list, not on the call stack.
  private func afterContainer(_ start: Pointer) -> Pointer? {
    var at = start
    var depth = 0
    repeat {
      at = Self.afterSpace(at)
      switch at.pointee {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard depth < Self.maximumDepth else { return nil }
        // Either closing bracket is two behind its opening one.
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

  /// After a value: passes the closing brackets that follow, up to the next value.
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

/// The places of the members that filters look at, in a line of less than 64 KiB: found once, for all
/// who filter the line.
struct MemberPlaces: Sendable {
  /// So many members of ``EventMember``, the first ones.
  static let count = 8

  var starts = SIMD8<UInt16>()
  var lengths = SIMD8<UInt16>()
  var present: UInt32 = 0
  var escaped: UInt32 = 0
}
