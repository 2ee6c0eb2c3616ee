/// A scanner that splits a style sheet into rules.
///
/// It reads comments, strings and brackets as defined by CSS Syntax 3.
struct StyleScanner {
  private let css: ArraySlice<UInt8>
  private var index: Int

  init(_ css: ArraySlice<UInt8>) {
    self.css = css
    index = css.startIndex
  }

  /// Returns the next rule that applies to every screen; nil at the end.
  mutating func next() -> (selectors: ArraySlice<UInt8>, body: ArraySlice<UInt8>)? {
    while index < css.endIndex {
      skipSpace()
      guard index < css.endIndex else { return nil }
      // This is the end of a group of rules that was entered before.
      if css[index] == UInt8(ascii: "}") || css[index] == UInt8(ascii: ";") {
        index += 1
        continue
      }
      let start = index
      // Only an at-rule ends at a semicolon; any other semicolon is part of an invalid selector.
      let isAt = css[start] == UInt8(ascii: "@")
      let stop = skip {
        $0 == UInt8(ascii: "{") || isAt && $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "}")
      }
      let prelude = css[start..<stop]
      guard stop < css.endIndex else { return nil }
      guard css[stop] == UInt8(ascii: "{") else { continue }
      index = stop + 1
      if isAt {
        if !Self.holds(prelude) { skipBlock() }
        continue
      }
      let body = index
      skipBlock()
      return (prelude, css[body..<max(body, index - 1)])
    }
    return nil
  }

  /// Returns the first declaration of the given body, up to its `;`.
  static func declaration(_ body: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var scanner = StyleScanner(body)
    let end = scanner.skip { $0 == UInt8(ascii: ";") }
    return body[..<end]
  }

  /// Returns `true` if the given value is already in the form that ``compact(_:)`` returns.
  ///
  /// A value with `!important` is not.
  static func isCompact(_ value: ArraySlice<UInt8>) -> Bool {
    var last: UInt8 = 0x20
    for byte in value {
      guard byte > 0x21 || byte == 0x20 && last != 0x20, byte != UInt8(ascii: "/"),
        byte &- 0x41 >= 26
      else { return false }
      last = byte
    }
    return value.isEmpty || last != 0x20
  }

  /// Returns the given value in lower case and without comments.
  ///
  /// Each run of white space is one space.
  static func compact(_ value: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    var index = value.startIndex
    while index < value.endIndex {
      if value[index...].starts(with: "/*".utf8) {
        index = value[index...].firstOffset(of: "*/".utf8).map { $0 + 2 } ?? value.endIndex
        continue
      }
      let byte = value[index].lowercased
      if !isSpace(byte) {
        if byte == UInt8(ascii: "!"), output.last == 0x20 { output.removeLast() }
        output.append(byte)
      } else if let last = output.last, last != 0x20, last != UInt8(ascii: "!") {
        output.append(0x20)
      }
      index += 1
    }
    if output.last == 0x20 { output.removeLast() }
    return output
  }

  /// Returns `true` if a group of rules after the given prelude applies to every screen.
  private static func holds(_ prelude: ArraySlice<UInt8>) -> Bool {
    let words = String(decoding: compact(prelude.prefix(256)), as: UTF8.self)
    if words.hasPrefix("@layer") { return true }
    guard words.hasPrefix("@media") else { return false }
    return MediaList.isEveryScreen(words.dropFirst(6))
  }

  /// Moves to the first matching byte that is outside of comments, strings and brackets.
  private mutating func skip(to isWanted: (UInt8) -> Bool) -> Int {
    var depth = 0
    while index < css.endIndex {
      let byte = css[index]
      guard Self.isSpecial(byte) else {
        index += 1
        continue
      }
      switch byte {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "/") where byteAfter == UInt8(ascii: "*"): skipComment()
      case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(byte)
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth = max(0, depth - 1)
      // An unclosed bracket must not hide the rest of the sheet.
      case _ where (depth == 0 || byte == UInt8(ascii: "}")) && isWanted(byte): return index
      default: break
      }
      index += 1
    }
    index = css.endIndex
    return index
  }

  /// Returns `true` if the given byte is one of `"'()/;[\]{}`, which end a name or a number.
  @inline(__always)
  private static func isSpecial(_ byte: UInt8) -> Bool {
    let bits: UInt64 = byte < 64 ? 0x0800_8384_0000_0000 : 0x2800_0000_3800_0000
    return byte < 128 && bits >> UInt64(byte & 63) & 1 == 1
  }

  /// Advances past the end of the current block.
  private mutating func skipBlock() {
    var depth = 1
    while depth > 0, index < css.endIndex {
      let stop = skip { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }
      guard stop < css.endIndex else { return }
      depth += css[stop] == UInt8(ascii: "{") ? 1 : -1
      index = stop + 1
    }
  }

  private var byteAfter: UInt8 { index + 1 < css.endIndex ? css[index + 1] : 0 }

  /// Advances to the last byte of a comment.
  private mutating func skipComment() {
    let end = css[(index + 2)...].firstOffset(of: "*/".utf8)
    index = end.map { $0 + 1 } ?? css.endIndex
  }

  /// Advances to the end of a string, which is the given quote or the end of the line.
  private mutating func skipString(_ quote: UInt8) {
    index += 1
    while index < css.endIndex, css[index] != quote, css[index] != 0x0A {
      index += css[index] == UInt8(ascii: "\\") ? 2 : 1
    }
  }

  private mutating func skipSpace() {
    while index < css.endIndex {
      if isSpace(css[index]) {
        index += 1
      } else if css[index] == UInt8(ascii: "/"), byteAfter == UInt8(ascii: "*") {
        skipComment()
        index = min(index + 1, css.endIndex)
      } else if css[index...].starts(with: "<!--".utf8) {
        index += 4
      } else if css[index...].starts(with: "-->".utf8) {
        index += 3
      } else {
        return
      }
    }
  }
}
