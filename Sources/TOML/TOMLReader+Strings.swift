extension TOMLReader {
  /// Reads a string of the form `"text"`.
  mutating func readBasicString() throws(TOMLFault) -> String {
    let start = cursor.position
    cursor.position += 1
    var text: [UInt8] = []
    while let byte = cursor.byte {
      switch byte {
      case UInt8(ascii: "\""):
        cursor.position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try readEscape(into: &text)
      default: try readPlain(byte, into: &text, start)
      }
    }
    throw cursor.fault("the string is not closed", at: start)
  }

  /// Reads a string of the form `'text'`, which has no escapes.
  mutating func readLiteralString() throws(TOMLFault) -> String {
    let start = cursor.position
    cursor.position += 1
    var text: [UInt8] = []
    while let byte = cursor.byte {
      if cursor.skip("'") { return String(decoding: text, as: UTF8.self) }
      try readPlain(byte, into: &text, start)
    }
    throw cursor.fault("the string is not closed", at: start)
  }

  /// Reads a string of the form `"""text"""`, which may contain line ends.
  mutating func readLongBasicString() throws(TOMLFault) -> String {
    try readLong(UInt8(ascii: "\"")) { reader, text throws(TOMLFault) in
      guard reader.cursor.byte == UInt8(ascii: "\\") else { return false }
      if try !reader.skipFoldedLines() { try reader.readEscape(into: &text) }
      return true
    }
  }

  /// Reads a string of the form `'''text'''`, which may contain line ends.
  mutating func readLongLiteralString() throws(TOMLFault) -> String {
    try readLong(UInt8(ascii: "'")) { _, _ throws(TOMLFault) in false }
  }

  /// Reads a multi-line string whose quotes are the given byte.
  ///
  /// `special` reads an escape if there is one, and then returns `true`.
  private mutating func readLong(
    _ quote: UInt8, special: (inout TOMLReader, inout [UInt8]) throws(TOMLFault) -> Bool
  ) throws(TOMLFault) -> String {
    let start = cursor.position
    cursor.position += 3
    _ = cursor.skipLineEnd()
    var text: [UInt8] = []
    while let byte = cursor.byte {
      if byte == quote {
        // Up to two quotes may precede the three that close the string.
        let run = cursor.bytes[cursor.position...].prefix(5).prefix { $0 == quote }.count
        cursor.position += run
        text += [UInt8](repeating: quote, count: run < 3 ? run : run - 3)
        if run >= 3 { return String(decoding: text, as: UTF8.self) }
      } else if cursor.skipLineEnd() {
        text.append(0x0A)
      } else if try !special(&self, &text) {
        try readPlain(byte, into: &text, start)
      }
    }
    throw cursor.fault("the string is not closed", at: start)
  }

  private mutating func readPlain(
    _ byte: UInt8, into text: inout [UInt8], _ start: Int
  ) throws(TOMLFault) {
    guard byte != 0x0A, !cursor.isAt("\r\n") else {
      throw cursor.fault("the string is not closed on its line", at: start)
    }
    guard !TOMLCursor.isControl(byte) else {
      throw cursor.fault("a string may not contain \(cursor.found)")
    }
    text.append(byte)
    cursor.position += 1
  }

  /// Skips a backslash at the end of a line, and the blanks and line ends after it.
  ///
  /// - Returns: `true` if there was such a backslash.
  private mutating func skipFoldedLines() throws(TOMLFault) -> Bool {
    let start = cursor.position
    cursor.position += 1
    cursor.skipBlanks()
    guard cursor.skipLineEnd() else {
      cursor.position = start
      return false
    }
    repeat { cursor.skipBlanks() } while cursor.skipLineEnd()
    return true
  }

  private mutating func readEscape(into text: inout [UInt8]) throws(TOMLFault) {
    let start = cursor.position
    cursor.position += 1
    let kind = cursor.byte
    cursor.position += 1
    switch kind {
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += kind.map { [$0] } ?? []
    case UInt8(ascii: "u"): text += try readScalar(4, start)
    case UInt8(ascii: "U"): text += try readScalar(8, start)
    default:
      throw cursor.fault(
        "invalid escape: expected \\b \\t \\n \\f \\r \\\" \\\\ \\u \\U", at: start)
    }
  }

  private mutating func readScalar(_ count: Int, _ start: Int) throws(TOMLFault) -> [UInt8] {
    let digits = cursor.bytes.dropFirst(cursor.position).prefix(count)
    let isWhole = digits.count == count && digits.allSatisfy { TOMLWord.isDigit($0, of: 16) }
    let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    guard isWhole, let scalar = number.flatMap(Unicode.Scalar.init) else {
      throw cursor.fault("an escape has no character of \(count) digits", at: start)
    }
    cursor.position += count
    return Array(String(scalar).utf8)
  }
}
