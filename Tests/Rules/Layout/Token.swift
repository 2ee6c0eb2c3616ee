/// A word or a mark of a Swift file, and its line from 1.
struct Token: Equatable {
  /// The word, or one mark such as `{`; a string or a number is the mark `"` or `0`.
  var text: String
  var line: Int
  /// Whether it is a name or a keyword.
  var isWord: Bool
}

/// Cuts a Swift file into words and marks: comments are left out, and of strings what is not code.
struct TokenScanner {
  private let bytes: [UInt8]
  private var at = 0
  private var line = 1
  private var tokens: [Token] = []

  private init(_ file: SourceFile) {
    bytes = Array(file.lines.joined(separator: "\n").utf8)
  }

  /// The tokens of a file, in order.
  static func tokens(of file: SourceFile) -> [Token] {
    var scanner = TokenScanner(file)
    scanner.readCode(untilClosed: false)
    return scanner.tokens
  }

  private func byte(_ offset: Int = 0) -> UInt8 {
    at + offset < bytes.count ? bytes[at + offset] : 0
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
      true
    default: false
    }
  }

  /// Reads code to the end, or to the bracket that ends an interpolation.
  private mutating func readCode(untilClosed: Bool) {
    var depth = 0
    while at < bytes.count {
      switch byte() {
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
        while at < bytes.count, byte() != UInt8(ascii: "\n") { at += 1 }
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipComment()
      case UInt8(ascii: "\""): readString()
      case UInt8(ascii: "#") where isString: readString()
      case UInt8(ascii: "`"): readQuotedName()
      case let byte where Self.isWord(byte): readWord()
      case let byte:
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        if untilClosed, depth < 0 { return }
        readMark(byte)
      }
    }
  }

  private mutating func readMark(_ byte: UInt8) {
    if byte == UInt8(ascii: "\n") {
      line += 1
    } else if byte > UInt8(ascii: " ") {
      tokens.append(Token(text: String(UnicodeScalar(byte)), line: line, isWord: false))
    }
    at += 1
  }

  private mutating func readWord() {
    let start = at
    while Self.isWord(byte()) { at += 1 }
    let isNumber = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[start])
    let text = isNumber ? "0" : String(decoding: bytes[start..<at], as: UTF8.self)
    tokens.append(Token(text: text, line: line, isWord: !isNumber))
  }

  /// A name between backquotes, which may hold blanks.
  private mutating func readQuotedName() {
    let start = at + 1
    repeat { at += 1 } while at < bytes.count && byte() != UInt8(ascii: "`")
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    tokens.append(Token(text: text, line: line, isWord: true))
    at += 1
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += 1
        at += 1
      } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        at += 1
      } else if byte() == UInt8(ascii: "\n") {
        line += 1
      }
      at += 1
    } while depth > 0 && at < bytes.count
  }

  /// Whether a string starts here, with any number of `#` before its quote.
  private var isString: Bool {
    var offset = 0
    while byte(offset) == UInt8(ascii: "#") { offset += 1 }
    return byte(offset) == UInt8(ascii: "\"")
  }

  private mutating func readString() {
    tokens.append(Token(text: "\"", line: line, isWord: false))
    var hashes = 0
    while byte() == UInt8(ascii: "#") {
      hashes += 1
      at += 1
    }
    let isLong = byte(1) == UInt8(ascii: "\"") && byte(2) == UInt8(ascii: "\"")
    at += isLong ? 3 : 1
    while at < bytes.count {
      if byte() == UInt8(ascii: "\\"), hasHashes(hashes, after: 1) {
        at += 1 + hashes
        if byte() == UInt8(ascii: "(") { readInterpolation() }
      } else if endsString(isLong: isLong, hashes: hashes) {
        at += (isLong ? 3 : 1) + hashes
        return
      }
      if byte() == UInt8(ascii: "\n") { line += 1 }
      at += 1
    }
  }

  private mutating func readInterpolation() {
    at += 1
    readCode(untilClosed: true)
  }

  private func endsString(isLong: Bool, hashes: Int) -> Bool {
    let quotes = isLong ? 3 : 1
    return (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") }
      && hasHashes(hashes, after: quotes)
  }

  private func hasHashes(_ count: Int, after offset: Int) -> Bool {
    (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
  }
}
