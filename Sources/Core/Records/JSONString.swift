/// The encoding and decoding of JSON string literals.
public enum JSONString {
  /// Returns the text of a string literal with the given content, with its escapes resolved.
  ///
  /// A lone surrogate, which JSON's grammar allows, becomes U+FFFD.
  static func unescaped(_ inner: UnsafeBufferPointer<UInt8>) -> String {
    guard inner.contains(0x5C) else { return String(decoding: inner, as: UTF8.self) }
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

  /// Returns the given JSON with each escaped lone surrogate replaced by U+FFFD; nil if it has
  /// none.
  ///
  /// Foundation's decoder rejects lone surrogates.
  static func withoutLoneSurrogates(_ json: [UInt8]) -> [UInt8]? {
    var result = json
    var isChanged = false
    var index = 0
    while let next = json[index...].firstIndex(of: 0x5C) {
      index = min(next + 2, json.count)
      guard let unit = escapedUnit(json, next), unit & 0xF800 == 0xD800 else { continue }
      let isPair =
        unit & 0xFC00 == 0xD800
        && escapedUnit(json, next + 6).map { $0 & 0xFC00 == 0xDC00 } ?? false
      index = next + (isPair ? 12 : 6)
      guard !isPair else { continue }
      result.replaceSubrange((next + 2)..<(next + 6), with: "fffd".utf8)
      isChanged = true
    }
    return isChanged ? result : nil
  }

  /// Returns the UTF-16 unit that an escape such as `\uD83D` at `start` stands for.
  ///
  /// - Returns: The unit; nil if there is no escape at `start`.
  private static func escapedUnit(_ json: [UInt8], _ start: Int) -> UInt16? {
    guard start + 6 <= json.count, json[start] == 0x5C, json[start + 1] == 0x75 else { return nil }
    return UInt16(String(decoding: json[(start + 2)..<(start + 6)], as: UTF8.self), radix: 16)
  }

  /// Returns the given text as a JSON string literal, including the quotes.
  public static func literal(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    LineEncoder.append(text, to: &bytes)
    return bytes
  }
}
