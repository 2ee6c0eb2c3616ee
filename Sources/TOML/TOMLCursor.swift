import Core

/// A position in the bytes of a TOML document.
///
/// The bytes are UTF-8. A line ends with LF or CR LF.
struct TOMLCursor {
  let bytes: [UInt8]
  var position = 0
  /// A position whose line number is known.
  ///
  /// Later lines are counted from there.
  private var known = (position: 0, line: 1)

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The byte at the current position; nil at the end of the document.
  var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Returns the byte that is `distance` bytes after the position; nil past the document's end.
  func byte(_ distance: Int) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  /// Returns `true` if the document has the given text at the current position.
  func isAt(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  /// Skips the given text if it is at the current position.
  ///
  /// - Returns: `true` if the text was skipped.
  mutating func skip(_ text: StaticString) -> Bool {
    guard isAt(text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// Skips spaces and tabs.
  mutating func skipBlanks() {
    while byte == 0x20 || byte == 0x09 { position += 1 }
  }

  /// Skips a line end if there is one at the current position.
  ///
  /// - Returns: `true` if a line end was skipped.
  mutating func skipLineEnd() -> Bool { skip("\n") || skip("\r\n") }

  /// Skips a comment, but not its line end, if there is one at the current position.
  mutating func skipComment() throws(TOMLFault) {
    guard byte == UInt8(ascii: "#") else { return }
    while let byte, byte != 0x0A, !isAt("\r\n") {
      guard !Self.isControl(byte) else { throw fault("a comment may not contain \(found)") }
      position += 1
    }
  }

  /// Skips blanks, comments and line ends.
  mutating func skipLines() throws(TOMLFault) {
    repeat {
      skipBlanks()
      try skipComment()
    } while skipLineEnd()
  }

  /// Skips the rest of a line after a statement: blanks, a comment and the line end.
  mutating func endLine() throws(TOMLFault) {
    skipBlanks()
    try skipComment()
    guard byte == nil || skipLineEnd() else { throw fault("expected the end of the line") }
  }

  /// Returns the number of the line that contains the position, starting at 1.
  mutating func line() -> Int {
    if position < known.position { known = (0, 1) }
    known.line += bytes[known.position..<position].reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    known.position = position
    return known.line
  }

  /// Returns `true` if the given byte is a control character that TOML does not allow in a line.
  ///
  /// A tab is allowed.
  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }
}

extension TOMLCursor {
  /// Returns a fault at the current position, with the expected and the actual text in its reason.
  func expected(_ what: String) -> TOMLFault { fault("expected \(what), found \(found)") }

  /// Returns a fault with the given reason at `place`, or at the current position if that is nil.
  func fault(_ reason: String, at place: Int? = nil) -> TOMLFault {
    let place = place ?? position
    let start = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let characters = bytes[start..<place].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    let line = bytes[..<start].reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
    return TOMLFault(line: line, column: characters + 1, reason: reason)
  }

  /// A description of the text at the current position, for messages.
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
