import Core

/// One line of ssh_config(5): a keyword and its arguments.
struct SSHConfigLine {
  /// The keyword in lower case.
  let keyword: String
  /// The text after the keyword.
  private let rest: ArraySlice<UInt8>

  /// Parses the given line; returns nil for a blank line or a comment.
  init?(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes.drop(while: Self.isBlank)
    while let last = rest.last, Self.isBlank(last) { rest.removeLast() }
    guard let first = rest.first, first != UInt8(ascii: "#") else { return nil }
    let word = rest.prefix { !Self.isBlank($0) && $0 != UInt8(ascii: "=") }
    rest = rest[word.endIndex...].drop(while: Self.isBlank)
    if rest.first == UInt8(ascii: "=") { rest = rest.dropFirst().drop(while: Self.isBlank) }
    keyword = String(
      decoding: word.filter { $0 != UInt8(ascii: "\"") }.map(\.lowercased), as: UTF8.self)
    self.rest = rest
  }

  /// The arguments after the keyword; nil if a quote is not closed.
  ///
  /// They are separated by blanks, and may be quoted. A comment ends them.
  var arguments: [String]? {
    let (quotes, escape) = (Array("\"'".utf8), UInt8(ascii: "\\"))
    var arguments: [[UInt8]] = []
    var current: [UInt8]?
    var quote: UInt8?
    var rest = rest
    while let byte = rest.popFirst() {
      let isBlank = byte == 0x20 || byte == 0x09
      if byte == escape, let next = rest.first,
        quotes.contains(next) || next == escape || (quote == nil && next == 0x20)
      {
        current = (current ?? []) + [next]
        rest.removeFirst()
      } else if byte == quote {
        quote = nil
      } else if quote == nil, quotes.contains(byte) {
        quote = byte
        current = current ?? []
      } else if quote == nil, isBlank {
        if let argument = current { arguments.append(argument) }
        current = nil
      } else if quote == nil, current == nil, byte == UInt8(ascii: "#") {
        break
      } else {
        current = (current ?? []) + [byte]
      }
    }
    guard quote == nil else { return nil }
    if let argument = current { arguments.append(argument) }
    return arguments.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns `true` if the given byte is a blank or belongs to a line end.
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0C
  }
}
