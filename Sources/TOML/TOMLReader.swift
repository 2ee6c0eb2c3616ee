/// A reader of TOML 1.0.0.
///
/// It accepts any bytes. Its running time is proportional to their number. A value may be nested in
/// ``deepest`` other values, and a document may have ``longest`` bytes. A byte order mark at the
/// start is skipped. A number that does not fit in 64 bits is a fault, as the specification
/// requires.
package struct TOMLReader {
  /// The maximum size of a document in bytes.
  package static let longest = 1 << 20
  /// The maximum nesting of tables and arrays.
  package static let deepest = 64

  var cursor: TOMLCursor
  /// The tables that were read so far.
  private var tree = TOMLTree()

  /// Reads the given document.
  ///
  /// - Throws: ``TOMLFault`` if the document is not valid TOML.
  package static func read(_ bytes: [UInt8]) throws(TOMLFault) -> TOMLTable {
    guard bytes.count <= longest else {
      throw TOMLFault(line: 1, reason: "the file is larger than \(longest / 1024) KiB")
    }
    if String(validating: bytes, as: UTF8.self) == nil {
      throw TOMLFault(line: notUTF8(bytes), reason: "the line is not UTF-8")
    }
    var reader = TOMLReader(cursor: TOMLCursor(bytes: bytes))
    try reader.readStatements()
    return reader.tree.table
  }

  private init(cursor: TOMLCursor) { self.cursor = cursor }

  /// Returns the number of the first line that is not UTF-8.
  private static func notUTF8(_ bytes: [UInt8]) -> Int {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    return 1 + (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0)
  }

  private mutating func readStatements() throws(TOMLFault) {
    _ = cursor.skip("\u{FEFF}")
    while true {
      try cursor.skipLines()
      guard let byte = cursor.byte else { return }
      if byte == UInt8(ascii: "[") {
        try readHeader()
      } else {
        let start = cursor.position
        let (key, item) = try readPair(in: 0)
        try tree.set(key, item) { [cursor] in cursor.fault($0, at: start) }
      }
      try cursor.endLine()
    }
  }

  /// Reads a header, which has the form `[table]` or `[[table]]`.
  private mutating func readHeader() throws(TOMLFault) {
    let start = cursor.position
    let line = cursor.line()
    let isElement = cursor.skip("[[")
    if !isElement { cursor.position += 1 }
    cursor.skipBlanks()
    let key = try readKey()
    guard isElement ? cursor.skip("]]") : cursor.skip("]") else {
      throw cursor.expected(isElement ? "']]'" : "']'")
    }
    try tree.open(key, isElement: isElement, line: line) { [cursor] in
      cursor.fault($0, at: start)
    }
  }

  /// Reads a pair, which has the form `key = value`.
  mutating func readPair(in depth: Int) throws(TOMLFault) -> (key: [TOMLName], item: TOMLItem) {
    let key = try readKey()
    guard cursor.skip("=") else { throw cursor.expected("'='") }
    cursor.skipBlanks()
    return (key, try readItem(in: depth))
  }

  /// Reads the names of a dotted key, and the blanks after it.
  private mutating func readKey() throws(TOMLFault) -> [TOMLName] {
    var names: [TOMLName] = []
    repeat {
      cursor.skipBlanks()
      guard names.count < Self.deepest else {
        throw cursor.fault("more than \(Self.deepest) names in one key")
      }
      names.append(TOMLName(try readName()))
      cursor.skipBlanks()
    } while cursor.skip(".")
    return names
  }

  private mutating func readName() throws(TOMLFault) -> String {
    switch cursor.byte {
    case UInt8(ascii: "\"") where !cursor.isAt("\"\"\""): return try readBasicString()
    case UInt8(ascii: "'") where !cursor.isAt("'''"): return try readLiteralString()
    default:
      let start = cursor.position
      while let byte = cursor.byte, Self.isBare(byte) { cursor.position += 1 }
      guard cursor.position > start else { throw cursor.expected("a name") }
      return String(decoding: cursor.bytes[start..<cursor.position], as: UTF8.self)
    }
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
