/// A parser of JSON text (RFC 8259) whose time grows with the length of the text, not with its
/// depth.
///
/// Foundation's decoder needs a second for each kilobyte of brackets that a server may nest.
package struct JSONText {
  private struct Fault: Error {}

  /// The deepest nesting that is accepted.
  private static let maximumDepth = 200

  private let bytes: [UInt8]
  private let repeatsNames: Bool
  private var at = 0

  /// Returns the value of the given text; nil if the text is not JSON, or is nested too deeply.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - repeatsNames: `false` to refuse an object in which two names are equal. Names that differ
  ///     only in Unicode normalization are equal. If they are accepted, the last one counts.
  /// - Returns: The value.
  package static func value(_ text: [UInt8], repeatsNames: Bool = true) -> JSONValue? {
    var parser = JSONText(bytes: text, repeatsNames: repeatsNames)
    guard let value = try? parser.value(within: maximumDepth) else { return nil }
    parser.skipSpace()
    return parser.at == text.count ? value : nil
  }

  private init(bytes: [UInt8], repeatsNames: Bool) {
    (self.bytes, self.repeatsNames) = (bytes, repeatsNames)
  }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { at += 1 }
  }

  /// Skips white space and the given byte; returns `false` if another byte follows.
  private mutating func skips(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    at += 1
    return true
  }

  private mutating func value(within depth: Int) throws(Fault) -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return .object(try object(within: depth))
    case UInt8(ascii: "["): return .array(try array(within: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object(within depth: Int) throws(Fault) -> [String: JSONValue] {
    guard depth > 0 else { throw Fault() }
    at += 1
    var members: [String: JSONValue] = [:]
    guard !skips(UInt8(ascii: "}")) else { return members }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw Fault() }
      let name = try string()
      guard skips(UInt8(ascii: ":")) else { throw Fault() }
      let earlier = members.updateValue(try value(within: depth - 1), forKey: name)
      guard earlier == nil || repeatsNames else { throw Fault() }
    } while skips(UInt8(ascii: ","))
    guard skips(UInt8(ascii: "}")) else { throw Fault() }
    return members
  }

  private mutating func array(within depth: Int) throws(Fault) -> [JSONValue] {
    guard depth > 0 else { throw Fault() }
    at += 1
    var elements: [JSONValue] = []
    guard !skips(UInt8(ascii: "]")) else { return elements }
    repeat { elements.append(try value(within: depth - 1)) } while skips(UInt8(ascii: ","))
    guard skips(UInt8(ascii: "]")) else { throw Fault() }
    return elements
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Fault) -> JSONValue {
    let end = at + word.utf8CodeUnitCount
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard end <= bytes.count, bytes[at..<end].elementsEqual(expected) else { throw Fault() }
    at = end
    return value
  }

  // MARK: Numbers

  private mutating func number() throws(Fault) -> JSONValue {
    let start = at
    var isWhole = true
    if next == UInt8(ascii: "-") { at += 1 }
    if next == UInt8(ascii: "0") { at += 1 } else { try digits() }
    if next == UInt8(ascii: ".") {
      (at, isWhole) = (at + 1, false)
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      (at, isWhole) = (at + 1, false)
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    if isWhole, let number = Int(text) { return .int(number) }
    guard let number = Double(text), number.isFinite else { throw Fault() }
    return .double(number)
  }

  private mutating func digits() throws(Fault) {
    let start = at
    while let byte = next, byte.isDigit { at += 1 }
    guard at > start else { throw Fault() }
  }

  // MARK: Strings

  private mutating func string() throws(Fault) -> String {
    at += 1
    let start = at
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      at += 1
    }
    guard next != UInt8(ascii: "\"") else {
      defer { at += 1 }
      return try text(bytes[start..<at])
    }
    var plain = Array(bytes[start..<at])
    while let byte = next, byte >= 0x20 {
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return try text(plain[...])
      case UInt8(ascii: "\\"):
        plain += UTF8.encode(try escape()) ?? UTF8.encodedReplacementCharacter
      default: plain.append(byte)
      }
    }
    throw Fault()
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(Fault) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Fault() }
    return text
  }

  /// Reads the rest of an escape; a lone surrogate becomes U+FFFD.
  private mutating func escape() throws(Fault) -> Unicode.Scalar {
    guard let byte = next else { throw Fault() }
    at += 1
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"):
      let first = try unit()
      let place = at
      if first & 0xFC00 == 0xD800, next == UInt8(ascii: "\\"), at + 1 < bytes.count,
        bytes[at + 1] == UInt8(ascii: "u")
      {
        at += 2
        let second = try unit()
        if second & 0xFC00 == 0xDC00 {
          return Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF) ?? "\u{FFFD}"
        }
        at = place
      }
      return Unicode.Scalar(first) ?? "\u{FFFD}"
    default: throw Fault()
    }
  }

  private mutating func unit() throws(Fault) -> UInt32 {
    guard at + 4 <= bytes.count, bytes[at..<at + 4].allSatisfy(\.isHexadecimalDigit),
      let unit = UInt32(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16)
    else { throw Fault() }
    at += 4
    return unit
  }
}
