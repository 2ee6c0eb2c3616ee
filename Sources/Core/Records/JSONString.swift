import Foundation

/// The text of a JSON string literal.
enum JSONString {
  /// The characters that the inside of a string literal stands for, escapes resolved.
  ///
  /// A lone surrogate, which JSON's grammar allows, becomes U+FFFD.
  static func unescaped(_ inner: UnsafeBufferPointer<UInt8>) -> String {
    var units: [UInt16] = []
    var rest = String(decoding: inner, as: UTF8.self).utf16.makeIterator()
    while let unit = rest.next() {
      guard unit == 0x5C, let escape = rest.next() else {
        units.append(unit)
        continue
      }
      switch escape {
      case 0x62: units.append(0x08)
      case 0x66: units.append(0x0C)
      case 0x6E: units.append(0x0A)
      case 0x72: units.append(0x0D)
      case 0x74: units.append(0x09)
      case 0x75:
        let digits = (0..<4).compactMap { _ in rest.next() }
        units.append(UInt16(String(decoding: digits, as: UTF16.self), radix: 16) ?? 0xFFFD)
      default: units.append(escape)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The text as a JSON string literal, quotes included, as the stream writes it.
  static func literal(_ text: String) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map(Array.init) ?? Array("\"\"".utf8)
  }
}
