/// A scanner that validates JSON text (RFC 8259) and locates the members of the outermost object.
///
/// It exists because decoding a whole record would take about fifty times as long, and a filter
/// needs only a few members.
struct JSONScanner {
  /// A syntax error and its byte offset.
  struct Fault: Error {
    var reason: String
    var offset: Int
  }

  /// A member of the outermost object: its name, and the bytes of its value.
  struct Member {
    var name: String
    var value: Range<Int>
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0

  /// The deepest nesting that is accepted.
  ///
  /// Deeper nesting could overflow a decoder's stack.
  private static let maximumDepth = 256

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Returns the members of the JSON object in the given bytes, in order.
  static func members(of bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> [Member] {
    var scanner = JSONScanner(bytes)
    return try scanner.outermostObject()
  }

  private mutating func outermostObject() throws(Fault) -> [Member] {
    skipSpace()
    guard peek == UInt8(ascii: "{") else { throw fault("not a JSON object") }
    at += 1
    var members: [Member] = []
    skipSpace()
    if peek == UInt8(ascii: "}") {
      at += 1
    } else {
      repeat {
        skipSpace()
        let name = try memberName()
        skipSpace()
        let start = at
        try skipValue()
        members.append(Member(name: name, value: start..<at))
        skipSpace()
      } while try hasNext(closing: UInt8(ascii: "}"))
    }
    skipSpace()
    guard at == bytes.count else { throw fault("text after the object") }
    return members
  }

  private mutating func memberName() throws(Fault) -> String {
    let start = at
    let escaped = try skipString()
    skipSpace()
    let end = bytes[start..<at].lastIndex(of: UInt8(ascii: "\"")) ?? start
    guard peek == UInt8(ascii: ":") else { throw fault("no ':' after a name") }
    at += 1
    let inner = UnsafeBufferPointer(rebasing: bytes[(start + 1)..<max(start + 1, end)])
    return escaped ? JSONString.unescaped(inner) : String(decoding: inner, as: UTF8.self)
  }

  /// Skips a comma and returns `true`, or skips the closing bracket and returns `false`.
  private mutating func hasNext(closing: UInt8) throws(Fault) -> Bool {
    guard let byte = peek, byte == UInt8(ascii: ",") || byte == closing else {
      throw fault("no ',' or closing bracket")
    }
    at += 1
    return byte != closing
  }

  /// Skips one value of any kind.
  ///
  /// A list of open brackets takes the place of recursion.
  private mutating func skipValue() throws(Fault) {
    var open: [UInt8] = []
    repeat {
      skipSpace()
      switch peek {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard open.count < Self.maximumDepth else { throw fault("nested too deeply") }
        let closing = peek == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
        at += 1
        skipSpace()
        guard peek == closing else {
          open.append(closing)
          if closing == UInt8(ascii: "}") { try skipName() }
          continue
        }
        at += 1
      case UInt8(ascii: "\""): _ = try skipString()
      case UInt8(ascii: "t"): try skip("true")
      case UInt8(ascii: "f"): try skip("false")
      case UInt8(ascii: "n"): try skip("null")
      default: try skipNumber()
      }
      try closeFinished(&open)
    } while !open.isEmpty
  }

  /// Skips all bytes between a value and the next value.
  ///
  /// Brackets that are closed on the way are removed from `open`.
  private mutating func closeFinished(_ open: inout [UInt8]) throws(Fault) {
    while let closing = open.last {
      skipSpace()
      if try hasNext(closing: closing) {
        skipSpace()
        if closing == UInt8(ascii: "}") { try skipName() }
        return
      }
      open.removeLast()
    }
  }

  private mutating func skipName() throws(Fault) {
    _ = try skipString()
    skipSpace()
    guard peek == UInt8(ascii: ":") else { throw fault("no ':' after a name") }
    at += 1
  }

  /// Skips a string; returns `true` if it contains escapes.
  private mutating func skipString() throws(Fault) -> Bool {
    guard peek == UInt8(ascii: "\"") else { throw fault("expected a string") }
    at += 1
    var escaped = false
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if byte == UInt8(ascii: "\"") { return escaped }
      if byte < 0x20 { throw fault("control character in a string") }
      if byte == UInt8(ascii: "\\") {
        escaped = true
        try skipEscape()
      }
    }
    throw fault("unterminated string")
  }

  private mutating func skipEscape() throws(Fault) {
    guard at < bytes.count else { throw fault("unterminated string") }
    let byte = bytes[at]
    at += 1
    switch byte {
    case UInt8(ascii: "u"):
      for _ in 0..<4 {
        guard let digit = peek, digit.isHexadecimalDigit else { throw fault("invalid escape") }
        at += 1
      }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      break
    default:
      throw fault("invalid escape")
    }
  }

  private mutating func skipNumber() throws(Fault) {
    if peek == UInt8(ascii: "-") { at += 1 }
    if peek == UInt8(ascii: "0") {
      at += 1
    } else {
      try skipDigits()
    }
    if peek == UInt8(ascii: ".") {
      at += 1
      try skipDigits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      at += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { at += 1 }
      try skipDigits()
    }
  }

  private mutating func skipDigits() throws(Fault) {
    let start = at
    while let byte = peek, byte.isDigit { at += 1 }
    guard at > start else { throw fault("expected a value") }
  }

  private mutating func skip(_ word: StaticString) throws(Fault) {
    let end = at + word.utf8CodeUnitCount
    guard end <= bytes.count,
      bytes[at..<end].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    else { throw fault("expected a value") }
    at = end
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      at += 1
    }
  }

  private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

  private func fault(_ reason: String) -> Fault { Fault(reason: reason, offset: at) }
}
