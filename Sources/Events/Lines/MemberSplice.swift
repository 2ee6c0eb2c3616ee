import Core
import Foundation

/// Sets one member of a record's line in place, without decoding the line.
enum MemberSplice {
  /// The bytes that a member takes the place of, and what separates it from its neighbours there.
  private struct Place {
    var range: Range<Int>
    var before = ""
    var after = ""
  }

  private typealias Pointer = UnsafePointer<UInt8>

  /// Returns a line in which a member is a text.
  ///
  /// Of a line with sorted members the result is sorted, too. A line that is no object stays as it is.
  ///
  /// - Parameters:
  ///   - name: The member, whose name needs no escapes.
  ///   - text: Its value.
  ///   - line: The record, without a line end.
  /// - Returns: The line.
  static func setting(_ name: StaticString, to text: String, in line: [UInt8]) -> [UInt8] {
    let value = JSONString.literal(text)
    var bytes = line + LineScanner.lineEnd
    let place = bytes.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.flatMap { self.place(of: name, in: $0, length: line.count) }
    }
    guard let place else {
      return RawRecord(object: String(decoding: line, as: UTF8.self))?
        .setting("\(name)", to: String(decoding: value, as: UTF8.self)) ?? line
    }
    bytes.removeLast(LineScanner.lineEnd.count)
    bytes.replaceSubrange(
      place.range, with: Array(place.before.utf8) + value + Array(place.after.utf8))
    return bytes
  }

  /// Finds a member, or where it belongs; nil for a line that only a full parse can tell of: one with
  /// escapes in a name, with the member twice, or that is no object.
  private static func place(of name: StaticString, in line: Pointer, length: Int) -> Place? {
    var (value, next, last): (Range<Int>?, Int?, Int?)
    let scanner = LineScanner()
    let end = scanner.eachMember(of: LineScanner.afterSpace(line)) { member in
      guard !member.isNameEscaped else { return false }
      let order = compare(member.name + 1, member.nameLength - 2, name)
      let start = member.value.start - line
      last = start + member.value.length
      if order == 0 {
        guard value == nil else { return false }
        value = start..<(start + member.value.length)
      } else if order > 0, next == nil {
        next = member.name - line
      }
      return true
    }
    guard let end, LineScanner.afterSpace(end) == line + length else { return nil }
    if let value { return Place(range: value) }
    if let next { return Place(range: next..<next, before: "\"\(name)\":", after: ",") }
    if let last { return Place(range: last..<last, before: ",\"\(name)\":") }
    let inside = end - 1 - line
    return Place(range: inside..<inside, before: "\"\(name)\":")
  }

  /// Returns a number above 0 if a name comes after another one by its bytes, 0 if it is the same.
  private static func compare(_ name: Pointer, _ length: Int, _ other: StaticString) -> Int {
    let order = memcmp(name, other.utf8Start, min(length, other.utf8CodeUnitCount))
    return order == 0 ? length - other.utf8CodeUnitCount : Int(order)
  }
}
