/// A character reference at the start of a text, such as `&eacute;` or `&#8212;`, by the tokenizer
/// rules of the WHATWG HTML Standard (section 13.2.5.72).
struct MarkupReference {
  /// What it stands for, in UTF-8.
  let text: [UInt8]
  /// How many bytes it takes.
  let length: Int

  /// Reads a reference; nil when the `&` is nothing but that.
  ///
  /// - Parameters:
  ///   - text: Begins with `&`.
  ///   - isAttribute: Whether it stands in an attribute, where `&copy=1` is part of an address.
  init?(_ text: ArraySlice<UInt8>, isAttribute: Bool) {
    let start = text.startIndex + 1
    guard start < text.endIndex else { return nil }
    if text[start] == UInt8(ascii: "#") {
      self.init(number: text)
      return
    }
    let name = text[start...].prefix(Self.longestName).prefix { isLetter($0) || isDigit($0) }
    guard !name.isEmpty else { return nil }
    let after = name.endIndex < text.endIndex ? text[name.endIndex] : 0
    if after == UInt8(ascii: ";"), let found = Self.table.byName[NameHash.of(name)] {
      self.init(text: found, length: name.count + 2)
      return
    }
    for count in stride(from: min(name.count, Self.longestLegacyName), to: 1, by: -1) {
      let hash = NameHash.of(name.prefix(count))
      guard Self.table.legacy.contains(hash), let found = Self.table.byName[hash] else { continue }
      let next = count < name.count ? name[name.startIndex + count] : after
      if isAttribute, next == UInt8(ascii: "=") || isLetter(next) || isDigit(next) { return nil }
      self.init(text: found, length: count + 1)
      return
    }
    return nil
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

  /// Made when the first name is looked up: most pages have a few, some none.
  private static let table: (byName: [UInt64: [UInt8]], legacy: Set<UInt64>) = {
    var byName: [UInt64: [UInt8]] = [:]
    byName.reserveCapacity(2200)
    for entry in names.utf8.split(separator: UInt8(ascii: " ")) {
      guard let mark = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
      var text: [UInt8] = []
      for code in entry[entry.index(after: mark)...].split(separator: UInt8(ascii: ",")) {
        let value = code.reduce(UInt32(0)) { $0 * 16 + UInt32($1.digit(isHex: true) ?? 0) }
        if let scalar = Unicode.Scalar(value) { text += Array(String(Character(scalar)).utf8) }
      }
      byName[NameHash.of(entry[..<mark])] = text
    }
    let legacy = legacyNames.utf8.split(separator: UInt8(ascii: " ")).map { NameHash.of($0) }
    return (byName, Set(legacy))
  }()
}
