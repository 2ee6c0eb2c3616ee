import Core
import Foundation

/// A change of one member in the line of a record.
///
/// The line is not decoded.
struct MemberSplice {
  /// The bytes that are replaced, and the bytes that are inserted before and after the new member.
  private struct Place {
    var range: Range<Int>
    var before: [UInt8] = []
    var after: [UInt8] = []
  }

  /// The change that sets the `id` that a log assigns.
  static let id = MemberSplice("id")
  /// The change that sets the `srcId` that a source assigns.
  static let srcId = MemberSplice("srcId")
  /// The change that sets the `host` of an event for another machine's log.
  static let host = MemberSplice("host")

  /// The beginning of escapes for ASCII characters, which a name does not need.
  private static let escape = ByteSearch(Array("\\u00".utf8))

  private let name: [UInt8]
  private let quoted: ByteSearch
  private let head: [UInt8]

  private init(_ name: String) {
    self.name = Array(name.utf8)
    quoted = ByteSearch(Array("\"\(name)\"".utf8))
    head = Array("\"\(name)\":".utf8)
  }

  /// Returns the given line with the member set to `text`.
  ///
  /// If the members are sorted, they stay sorted. A line that is not an object is returned
  /// unchanged.
  ///
  /// - Parameters:
  ///   - text: The value of the member.
  ///   - line: The record, without a line end.
  /// - Returns: The changed line.
  func setting(to text: String, in line: [UInt8]) -> [UInt8] {
    let value = JSONString.literal(text)
    var bytes = line + LineScanner.lineEnd
    let place = bytes.withUnsafeBufferPointer { bytes in
      self.place(in: UnsafeBufferPointer(rebasing: bytes[..<line.count]))
    }
    guard let place else {
      return RawRecord(object: String(decoding: line, as: UTF8.self))?
        .setting(
          String(decoding: name, as: UTF8.self), to: String(decoding: value, as: UTF8.self)) ?? line
    }
    bytes.removeLast(LineScanner.lineEnd.count)
    bytes.replaceSubrange(place.range, with: place.before + value + place.after)
    return bytes
  }

  /// Returns the place of the member, or the place where it is inserted.
  ///
  /// It is nil if the line must be parsed completely: a name has escapes, the member occurs twice,
  /// or the line is not an object.
  private func place(in bytes: UnsafeBufferPointer<UInt8>) -> Place? {
    guard let line = bytes.baseAddress else { return nil }
    let isAbsent = !quoted.isFound(in: bytes) && !Self.escape.isFound(in: bytes)
    var (value, next, last): (Range<Int>?, Int?, Int?)
    let end = LineScanner().eachMember(of: LineScanner.afterSpace(line)) { member in
      guard !member.isNameEscaped else { return false }
      let order = order(member)
      let start = member.value.start - line
      last = start + member.value.length
      if order == 0 {
        guard value == nil else { return false }
        value = start..<(start + member.value.length)
      } else if order > 0, next == nil {
        next = member.name - line
      }
      return next == nil || !isAbsent
    }
    let comma = [UInt8(ascii: ",")]
    if let next, isAbsent { return Place(range: next..<next, before: head, after: comma) }
    guard let end, LineScanner.afterSpace(end) == line + bytes.count else { return nil }
    if let value { return Place(range: value) }
    if let next { return Place(range: next..<next, before: head, after: comma) }
    if let last { return Place(range: last..<last, before: comma + head) }
    let inside = end - 1 - line
    return Place(range: inside..<inside, before: head)
  }

  /// Compares the name of the given member with the name that is set, byte by byte.
  ///
  /// - Returns: 0 if both are equal; a positive number if the given member's name is sorted later.
  private func order(_ member: LineScanner.Member) -> Int {
    let length = member.nameLength - 2
    let order = memcmp(member.name + 1, name, min(length, name.count))
    return order == 0 ? length - name.count : Int(order)
  }
}
