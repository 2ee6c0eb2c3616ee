import Core

/// A change of JSON text that keeps all other bytes as they are.
struct JSONEdit {
  private let bytes: [UInt8]

  /// Creates an edit of the given text; nil if the text is not JSON, or is nested too deeply.
  init?(_ bytes: [UInt8]) {
    guard JSONText.value(bytes) != nil else { return nil }
    self.bytes = bytes
  }

  /// A member of an object, or an element of an array without a name.
  struct Part {
    /// The member's name, as it is written.
    var name: String?
    /// The bytes of the value.
    var value: Range<Int>
  }

  /// The whole value.
  var whole: Range<Int> {
    let start = afterSpace(0)
    return start..<end(ofValueAt: start)
  }

  /// Returns the members of an object, or the elements of an array; nil for any other value.
  func parts(of value: Range<Int>) -> [Part]? {
    let isObject = bytes[value.lowerBound] == UInt8(ascii: "{")
    guard isObject || bytes[value.lowerBound] == UInt8(ascii: "[") else { return nil }
    var parts: [Part] = []
    var at = afterSpace(value.lowerBound + 1)
    while at < value.upperBound - 1 {
      var name: String?
      if isObject {
        let end = self.end(ofValueAt: at)
        if case .string(let text)? = JSONText.value(Array(bytes[at..<end])) { name = text }
        at = afterSpace(afterSpace(end) + 1)
      }
      let end = self.end(ofValueAt: at)
      parts.append(Part(name: name, value: at..<end))
      at = afterSpace(end)
      if bytes[at] == UInt8(ascii: ",") { at = afterSpace(at + 1) }
    }
    return parts
  }

  /// Returns the text with another part at the end of the given object or array.
  ///
  /// The lines of the part get the given indentation.
  func appending(_ part: String, to value: Range<Int>, indentation: String) -> [UInt8] {
    let lines = part.split(separator: "\n").joined(separator: "\n" + indentation)
    let last = parts(of: value)?.last?.value.upperBound
    let outer = String(indentation.dropLast(2))
    let inserted = (last == nil ? "" : ",") + "\n" + indentation + lines
    guard let last else {
      return bytes[...value.lowerBound] + Array((inserted + "\n" + outer).utf8)
        + bytes[(value.upperBound - 1)...]
    }
    // The white space before the closing bracket stays, unless the value is on one line.
    let isOneLine = !bytes[last..<value.upperBound].contains(0x0A)
    return bytes[..<last] + Array((inserted + (isOneLine ? "\n" + outer : "")).utf8)
      + bytes[last...]
  }

  private func afterSpace(_ start: Int) -> Int {
    var at = start
    while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
    return at
  }

  /// Returns the end of the value at the given place, in text that is known to be JSON.
  private func end(ofValueAt start: Int) -> Int {
    var (at, depth) = (start, 0)
    repeat {
      switch bytes[at] {
      case UInt8(ascii: "\""): at = end(ofStringAt: at)
      case UInt8(ascii: "{"), UInt8(ascii: "["): (at, depth) = (at + 1, depth + 1)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): (at, depth) = (at + 1, depth - 1)
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D: at += 1
      default: while at < bytes.count, !Self.ends(bytes[at]) { at += 1 }
      }
    } while depth > 0
    return at
  }

  private func end(ofStringAt start: Int) -> Int {
    var at = start + 1
    while bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
    return at + 1
  }

  private static func ends(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0A, 0x0D].contains(byte) || ",]}".utf8.contains(byte)
  }
}
