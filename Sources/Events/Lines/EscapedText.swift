import Core

/// A comparison of a JSON string literal with a text.
///
/// The literal is not decoded.
enum EscapedText {
  /// Returns `true` if the literal with the contents `inner` represents the given text.
  ///
  /// The literal must be valid. Lone surrogates count as U+FFFD.
  static func equals(
    _ inner: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var at = 0
    var compared = 0
    func matchesNext(_ byte: UInt8) -> Bool {
      guard compared < text.count, text[compared] == byte else { return false }
      compared += 1
      return true
    }
    while at < inner.count {
      guard inner[at] == UInt8(ascii: "\\") else {
        guard matchesNext(inner[at]) else { return false }
        at += 1
        continue
      }
      let (scalar, length) = escape(inner, at)
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        guard matchesNext(byte) else { return false }
      }
      at += length
    }
    return compared == text.count
  }

  /// Returns the character that the escape at `at` represents, and the length of the escape in
  /// bytes.
  private static func escape(
    _ inner: UnsafeBufferPointer<UInt8>, _ at: Int
  ) -> (scalar: Unicode.Scalar, length: Int) {
    switch inner[at + 1] {
    case UInt8(ascii: "b"): return ("\u{8}", 2)
    case UInt8(ascii: "f"): return ("\u{C}", 2)
    case UInt8(ascii: "n"): return ("\n", 2)
    case UInt8(ascii: "r"): return ("\r", 2)
    case UInt8(ascii: "t"): return ("\t", 2)
    case UInt8(ascii: "u"): break
    default: return (Unicode.Scalar(inner[at + 1]), 2)
    }
    let first = unit(inner, at) ?? 0xFFFD
    if first & 0xFC00 == 0xD800, let second = unit(inner, at + 6), second & 0xFC00 == 0xDC00 {
      let value = 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF
      return (Unicode.Scalar(value) ?? "\u{FFFD}", 12)
    }
    return (Unicode.Scalar(first) ?? "\u{FFFD}", 6)
  }

  /// Returns the UTF-16 unit that the escape at `at` represents; `\u00e9` is such an escape.
  private static func unit(_ inner: UnsafeBufferPointer<UInt8>, _ at: Int) -> UInt32? {
    guard at + 6 <= inner.count, inner[at] == UInt8(ascii: "\\"),
      inner[at + 1] == UInt8(ascii: "u")
    else { return nil }
    return inner[(at + 2)..<(at + 6)].reduce(UInt32?(0)) { value, digit in
      guard let value, let digit = digit.hexadecimalValue else { return nil }
      return value << 4 | UInt32(digit)
    }
  }
}
