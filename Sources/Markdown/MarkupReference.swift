/// A character reference at the start of a text, such as `&eacute;` or `&#8212;`.
///
/// The rules are those of the tokenizer in the WHATWG HTML Standard (section 13.2.5.72).
package struct MarkupReference {
  /// The characters that the reference stands for, in UTF-8.
  package let text: [UInt8]
  /// The length in bytes of the reference's source text.
  package let length: Int

  /// Reads the reference at the start of the given text; nil if there is none.
  ///
  /// - Parameters:
  ///   - text: The text, which begins with `&`.
  ///   - isAttribute: `true` if the text is in an attribute, where `&copy=1` is part of an address.
  package init?(_ text: ArraySlice<UInt8>, isAttribute: Bool) {
    let start = text.startIndex + 1
    guard start < text.endIndex else { return nil }
    if text[start] == UInt8(ascii: "#") {
      self.init(number: text)
      return
    }
    let name = text[start...].prefix(Self.longestName).prefix { $0.isLetter || $0.isDigit }
    guard !name.isEmpty else { return nil }
    let after = name.endIndex < text.endIndex ? text[name.endIndex] : 0
    if after == UInt8(ascii: ";"), let found = Self.text(of: name) {
      self.init(text: found, length: name.count + 2)
      return
    }
    for count in stride(from: min(name.count, Self.longestLegacyName), to: 1, by: -1) {
      let legacy = name.prefix(count)
      guard Self.entry(legacy, in: Self.legacyNames) != nil, let found = Self.text(of: legacy)
      else { continue }
      let next = count < name.count ? name[name.startIndex + count] : after
      if isAttribute, next == UInt8(ascii: "=") || next.isLetter || next.isDigit { return nil }
      self.init(text: found, length: count + 1)
      return
    }
    return nil
  }

  /// Reads the reference at the start of the given Markdown text; nil if there is none.
  ///
  /// Markdown requires the semicolon.
  init?(markdown text: ArraySlice<UInt8>) {
    guard text.first == UInt8(ascii: "&"),
      text.prefix(Self.longestName + 2).contains(UInt8(ascii: ";"))
    else { return nil }
    self.init(text, isAttribute: false)
    guard text[text.startIndex + length - 1] == UInt8(ascii: ";") else { return nil }
  }

  private init(text: [UInt8], length: Int) {
    self.text = text
    self.length = length
  }

  private init?(number text: ArraySlice<UInt8>) {
    var index = text.startIndex + 2
    let isHex = index < text.endIndex && text[index] | 0x20 == UInt8(ascii: "x")
    if isHex { index += 1 }
    let digits = index
    var code: UInt32 = 0
    while index < text.endIndex, let digit = text[index].digit(isHex: isHex) {
      code = min(code * (isHex ? 16 : 10) + UInt32(digit), 0x11_0000)
      index += 1
    }
    guard index > digits else { return nil }
    if index < text.endIndex, text[index] == UInt8(ascii: ";") { index += 1 }
    length = index - text.startIndex
    if (0x80..<0xA0).contains(code) {
      self.text = Array(windows1252Scalar(UInt8(code)).utf8)
    } else {
      let scalar = code == 0 ? nil : Unicode.Scalar(code)
      self.text = Array(String(Character(scalar ?? "\u{FFFD}")).utf8)
    }
  }

  private static let longestName = 31
  private static let longestLegacyName = 6

  /// Returns the characters that the given name stands for; nil if there is no such name.
  private static func text(of name: ArraySlice<UInt8>) -> [UInt8]? {
    entry(name, in: names).map { codes in
      var text: [UInt8] = []
      for code in codes.split(separator: UInt8(ascii: ",")) {
        let value = code.reduce(UInt32(0)) { $0 * 16 + UInt32($1.digit(isHex: true) ?? 0) }
        if let scalar = Unicode.Scalar(value) { text.append(contentsOf: Character(scalar).utf8) }
      }
      return text
    }
  }

  /// Returns the value of the given name in a list of entries; nil if the list lacks the name.
  ///
  /// Entries have the form `name=value`, are sorted by name, and are separated by one space. The
  /// list is searched in place, because creating a dictionary would take longer than all lookups in
  /// a page.
  private static func entry(
    _ name: ArraySlice<UInt8>, in list: StaticString
  ) -> UnsafeBufferPointer<UInt8>.SubSequence? {
    let list = UnsafeBufferPointer(start: list.utf8Start, count: list.utf8CodeUnitCount)
    var low = 0
    var high = list.count
    while low < high {
      var start = (low + high) / 2
      while start > low, list[start - 1] != 0x20 { start -= 1 }
      let end = list[start...].firstIndex(of: 0x20) ?? list.count
      let nameEnd = list[start..<end].firstIndex(of: UInt8(ascii: "=")) ?? end
      let other = list[start..<nameEnd]
      if name.elementsEqual(other) { return list[min(nameEnd + 1, end)..<end] }
      if name.lexicographicallyPrecedes(other) { high = start } else { low = end + 1 }
    }
    return nil
  }
}
