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
  }

  /// As Core's scanner has it.
  static let maximumDepth = 256
  /// The bytes that must be readable from a line's line feed on.
  static let padding = 8

  /// Where the line's line feed is, or about where the line ceased to be JSON.
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

  /// Whether the line that begins here is one JSON object; ``end`` is then its line feed.
  mutating func scan(_ start: Pointer) -> Bool {
    present = 0
    end = start
    var at = Self.afterSpace(start)
    guard at.pointee == UInt8(ascii: "{") else { return false }
    at = Self.afterSpace(at + 1)
    if at.pointee == UInt8(ascii: "}") {
      at += 1
    } else {
      while true {
        guard at.pointee == UInt8(ascii: "\"") else { return false }
        let name = at + 1
        var isEscaped = false
        guard let nameEnd = Self.stringEnd(name, &isEscaped) else { return false }
        at = Self.afterSpace(nameEnd + 1)
        guard at.pointee == UInt8(ascii: ":") else { return false }
        at = Self.afterSpace(at + 1)
        let member =
          isEscaped
          ? EventMember(escaped: name, length: nameEnd - name)
          : EventMember(name, length: nameEnd - name)
        isEscaped = false
        guard let valueEnd = afterValue(at, &isEscaped) else { return false }
        if let member {
          present |= 1 << UInt32(member.rawValue)
          values[member.rawValue] = Value(start: at, length: valueEnd - at, isEscaped: isEscaped)
        }
        at = Self.afterSpace(valueEnd)
        let next = at.pointee
        at += 1
        if next == UInt8(ascii: ",") {
          at = Self.afterSpace(at)
          continue
        }
        guard next == UInt8(ascii: "}") else { return false }
        break
      }
    }
    at = Self.afterSpace(at)
    end = at
    return at.pointee == UInt8(ascii: "\n")
  }

  @inline(__always)
  private mutating func afterValue(_ start: Pointer, _ isEscaped: inout Bool) -> Pointer? {
    switch start.pointee {
    case UInt8(ascii: "\""): Self.stringEnd(start + 1, &isEscaped).map { $0 + 1 }
    case UInt8(ascii: "{"), UInt8(ascii: "["): afterContainer(start)
    default: Self.afterWord(start)
    }
  }

  /// Passes an object or an array; brackets are kept on a list, not on the call stack.
  private mutating func afterContainer(_ start: Pointer) -> Pointer? {
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
