import Core

/// Functions that skip JSON tokens.
extension LineScanner {
  /// Skips white space other than line feeds.
  @inline(__always)
  static func afterSpace(_ start: Pointer) -> Pointer {
    guard start.pointee <= 0x20 else { return start }
    var at = start
    while at.pointee == 0x20 || at.pointee == 0x09 || at.pointee == 0x0D { at += 1 }
    return at
  }

  /// Returns the closing quote of the string whose contents begin at `start`.
  @inline(__always)
  static func stringEnd(_ start: Pointer, _ isEscaped: inout Bool) -> Pointer? {
    var at = start
    while true {
      let word = UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
      // The top bit is set for each byte that is a quote, a backslash, a control character or not
      // ASCII. A borrow may also set it in a later byte, but never in an earlier one, so the first
      // is right.
      let quotes = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
      let backslashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
      let controls = word &- 0x2020_2020_2020_2020
      let marks = (word | quotes | backslashes | controls) & 0x8080_8080_8080_8080
      guard marks != 0 else {
        at += 8
        continue
      }
      at += marks.trailingZeroBitCount >> 3
      if at.pointee == UInt8(ascii: "\"") { return at }
      if at.pointee == UInt8(ascii: "\\") { isEscaped = true }
      guard let next = afterSpecial(at) else { return nil }
      at = next
    }
  }

  /// Skips the escape or the non-ASCII character at `at`.
  private static func afterSpecial(_ at: Pointer) -> Pointer? {
    switch at[0] {
    case UInt8(ascii: "\\"):
      switch at[1] {
      case UInt8(ascii: "u"):
        for index in 2..<6 where at[index].hexadecimalValue == nil { return nil }
        return at + 6
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
        UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        return at + 2
      default: return nil
      }
    // Table 3-7 of the Unicode Standard: no overlong forms, no surrogates, nothing above U+10FFFF.
    case 0xC2...0xDF: return isTail(at[1]) ? at + 2 : nil
    case 0xE0: return 0xA0...0xBF ~= at[1] && isTail(at[2]) ? at + 3 : nil
    case 0xED: return 0x80...0x9F ~= at[1] && isTail(at[2]) ? at + 3 : nil
    case 0xE1...0xEF: return isTail(at[1]) && isTail(at[2]) ? at + 3 : nil
    case 0xF0: return 0x90...0xBF ~= at[1] && isTail(at[2]) && isTail(at[3]) ? at + 4 : nil
    case 0xF1...0xF3: return isTail(at[1]) && isTail(at[2]) && isTail(at[3]) ? at + 4 : nil
    case 0xF4: return 0x80...0x8F ~= at[1] && isTail(at[2]) && isTail(at[3]) ? at + 4 : nil
    default: return nil
    }
  }

  @inline(__always)
  private static func isTail(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// Skips a number, `true`, `false` or `null`.
  @inline(__always)
  static func afterWord(_ start: Pointer) -> Pointer? {
    switch start.pointee {
    case UInt8(ascii: "t"): after("true", start)
    case UInt8(ascii: "f"): after("false", start)
    case UInt8(ascii: "n"): after("null", start)
    default: afterNumber(start)
    }
  }

  @inline(__always)
  private static func after(_ word: StaticString, _ start: Pointer) -> Pointer? {
    // The first byte that differs ends the loop, so no byte after the line is read.
    for index in 0..<word.utf8CodeUnitCount where start[index] != word.utf8Start[index] {
      return nil
    }
    return start + word.utf8CodeUnitCount
  }

  @inline(__always)
  private static func afterNumber(_ start: Pointer) -> Pointer? {
    var at = start
    if at.pointee == UInt8(ascii: "-") { at += 1 }
    if at.pointee == UInt8(ascii: "0") {
      at += 1
    } else {
      guard let next = afterDigits(at) else { return nil }
      at = next
    }
    if at.pointee == UInt8(ascii: ".") {
      guard let next = afterDigits(at + 1) else { return nil }
      at = next
    }
    if at.pointee | 0x20 == UInt8(ascii: "e") {
      at += 1
      if at.pointee == UInt8(ascii: "+") || at.pointee == UInt8(ascii: "-") { at += 1 }
      return afterDigits(at)
    }
    return at
  }

  @inline(__always)
  private static func afterDigits(_ start: Pointer) -> Pointer? {
    var at = start
    while at.pointee &- 0x30 < 10 { at += 1 }
    return at > start ? at : nil
  }
}
