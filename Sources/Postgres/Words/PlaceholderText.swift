/// A statement whose parameters are `?`, in the form for PostgreSQL.
struct PlaceholderText {
  /// The statement with `$1`, `$2` and so on in place of each `?`.
  let text: String
  /// The number of parameters.
  let count: Int

  /// Replaces each `?` of the given statement that is outside of literals, quoted names and
  /// comments.
  init(_ statement: String) {
    var (output, count) = ([UInt8](), 0)
    let bytes = Array(statement.utf8)
    output.reserveCapacity(bytes.count + 16)
    var index = 0
    while index < bytes.count {
      let end = Self.endOfOpaque(from: index, in: bytes)
      if end > index {
        output += bytes[index..<end]
        index = end
      } else if bytes[index] == UInt8(ascii: "?") {
        count += 1
        output += "$\(count)".utf8
        index += 1
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    text = String(decoding: output, as: UTF8.self)
    self.count = count
  }

  /// Returns the end of the literal, quoted name or comment that begins at the given position; the
  /// position itself if none begins there.
  ///
  /// A quote is doubled inside of quotes. The two halves can be read as two literals.
  private static func endOfOpaque(from start: Int, in bytes: [UInt8]) -> Int {
    let rest = bytes[start...]
    if let quote = rest.first, [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains(quote) {
      return rest.dropFirst().firstIndex(of: quote).map { $0 + 1 } ?? bytes.count
    }
    if rest.starts(with: "--".utf8) {
      return rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    }
    if rest.starts(with: "/*".utf8) {
      return rest.dropFirst(2).firstRange(of: Array("*/".utf8))?.upperBound ?? bytes.count
    }
    return start
  }
}
