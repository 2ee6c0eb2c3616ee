import Core

/// A place in the bytes of a document.
///
/// The bytes are UTF-8; a line ends with LF or CR LF.
struct TOMLCursor {
  let bytes: [UInt8]
  var position = 0
  /// The line of a place that was asked for: from the start, each would cost what is before it.
  private var known = (position: 0, line: 1)

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The byte here; nil at the end.
  var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// The byte so many places on.
  func byte(_ distance: Int) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  /// Whether the bytes here are these.
  func isAt(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  /// Goes past these bytes when they are here, and tells whether they were.
  mutating func skip(_ text: StaticString) -> Bool {
    guard isAt(text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// Goes past spaces and tabs.
  mutating func skipBlanks() {
    while byte == 0x20 || byte == 0x09 { position += 1 }
  }

  /// Goes past the end of a line when it is here, and tells whether it was.
  mutating func skipLineEnd() -> Bool { skip("\n") || skip("\r\n") }

  /// Goes past a comment, up to its line's end, when one is here.
  mutating func skipComment() throws(TOMLFault) {
    guard byte == UInt8(ascii: "#") else { return }
    while let byte, byte != 0x0A, !isAt("\r\n") {
      guard !Self.isControl(byte) else { throw fault("a comment may not contain \(found)") }
      position += 1
    }
  }

  /// Goes past blanks, comments and line ends.
  mutating func skipLines() throws(TOMLFault) {
    repeat {
      skipBlanks()
      try skipComment()
    } while skipLineEnd()
  }

  /// Goes past what may follow a statement in its line, and the line's end.
  mutating func endLine() throws(TOMLFault) {
    skipBlanks()
    try skipComment()
    guard byte == nil || skipLineEnd() else { throw fault("expected the end of the line") }
  }

  /// The line of this place; 1 for the first.
  mutating func line() -> Int {
    if position < known.position { known = (0, 1) }
    known.line += bytes[known.position..<position].reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    known.position = position
    return known.line
  }

  /// A control character that TOML allows nowhere within a line: all but the tab.
  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }
}

extension TOMLCursor {
  /// A fault here: what was expected, and what there is.
  func expected(_ what: String) -> TOMLFault { fault("expected \(what), found \(found)") }

  /// A fault here, or at an earlier place.
  func fault(_ reason: String, at place: Int? = nil) -> TOMLFault {
    let place = place ?? position
    let start = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let characters = bytes[start..<place].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    let line = bytes[..<start].reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
    return TOMLFault(line: line, column: characters + 1, reason: reason)
  }

  /// What is here, in words.
  var found: String {
    guard let byte else { return "the end of the file" }
    if byte == 0x0A || isAt("\r\n") { return "the end of the line" }
    let end = min(position + 4, bytes.count)
    let scalar = String(decoding: bytes[position..<end], as: UTF8.self).unicodeScalars.first
    guard let scalar, !Self.isControl(byte), byte != 0x09 else {
      return "a control character (\(byte))"
    }
    return "'\(Visible.line(String(scalar)))'"
  }
}
