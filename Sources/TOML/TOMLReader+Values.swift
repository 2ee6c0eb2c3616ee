import Core

extension TOMLReader {
  /// Reads a value.
  ///
  /// - Parameter depth: The number of enclosing tables and arrays.
  /// - Returns: The value, and the line on which it begins.
  /// - Throws: ``TOMLFault`` if the syntax is invalid.
  mutating func readItem(in depth: Int) throws(TOMLFault) -> TOMLItem {
    guard depth < Self.deepest else {
      throw cursor.fault("values are nested more than \(Self.deepest) levels deep")
    }
    let line = cursor.line()
    return TOMLItem(value: try readValue(in: depth), line: line)
  }

  private mutating func readValue(in depth: Int) throws(TOMLFault) -> TOMLValue {
    switch cursor.byte {
    case UInt8(ascii: "\""):
      return .string(
        cursor.isAt("\"\"\"") ? try readLongBasicString() : try readBasicString())
    case UInt8(ascii: "'"):
      return .string(cursor.isAt("'''") ? try readLongLiteralString() : try readLiteralString())
    case UInt8(ascii: "["): return try readArray(in: depth)
    case UInt8(ascii: "{"): return try readInlineTable(in: depth)
    default: return try readWord()
    }
  }

  private mutating func readArray(in depth: Int) throws(TOMLFault) -> TOMLValue {
    cursor.position += 1
    var items: [TOMLItem] = []
    while true {
      try cursor.skipLines()
      if cursor.skip("]") { return .array(items) }
      items.append(try readItem(in: depth + 1))
      try cursor.skipLines()
      if cursor.skip("]") { return .array(items) }
      guard cursor.skip(",") else { throw cursor.expected("',' or ']'") }
    }
  }

  /// Reads an inline table, which cannot be extended later.
  private mutating func readInlineTable(in depth: Int) throws(TOMLFault) -> TOMLValue {
    cursor.position += 1
    var tree = TOMLTree()
    cursor.skipBlanks()
    if cursor.skip("}") { return .table(tree.table) }
    while true {
      cursor.skipBlanks()
      let start = cursor.position
      let (key, item) = try readPair(in: depth + 1)
      try tree.set(key, item) { [cursor] in cursor.fault($0, at: start) }
      cursor.skipBlanks()
      if cursor.skip("}") { return .table(tree.table) }
      guard cursor.skip(",") else { throw cursor.expected("',' or '}'") }
    }
  }

  /// Reads a value without quotes or brackets: a boolean, a number or a date.
  private mutating func readWord() throws(TOMLFault) -> TOMLValue {
    let start = cursor.position
    let word = Self.word(cursor.bytes[start...])
    guard !word.isEmpty else { throw cursor.expected("a value") }
    // A space may separate a date from a time.
    var end = start + word.count
    if TOMLWord.isDate(word), end + 1 < cursor.bytes.count, cursor.bytes[end] == 0x20,
      cursor.bytes[end + 1].isDigit
    {
      end += 1 + Self.word(cursor.bytes[(end + 1)...]).count
    }
    let whole = cursor.bytes[start..<end]
    guard let value = TOMLWord.value(whole) else {
      throw cursor.fault(TOMLWord.reason(whole), at: start)
    }
    cursor.position = end
    return value
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.prefix { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "+-._:".utf8.contains(byte)
      }
    }
  }
}
