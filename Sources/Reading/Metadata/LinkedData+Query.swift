extension LinkedData {
  /// Returns the first member with the given name of the given object; nil if there is none.
  func member(_ name: StaticString, of object: Int32) -> Int32? {
    guard values[Int(object)].kind == .object else { return nil }
    var child = values[Int(object)].first
    // The limit is far above any real object, and a page may cause a thousand queries of one
    // object.
    var left = 1000
    while child >= 0, left > 0, spend(1) {
      if matches(values[Int(child)].key, name) { return child }
      child = values[Int(child)].next
      left -= 1
    }
    return nil
  }

  /// Returns the elements of the given value if it is an array; otherwise the value itself.
  func elements(of value: Int32?) -> [Int32] {
    guard let value else { return [] }
    guard values[Int(value)].kind == .array else { return [value] }
    var found: [Int32] = []
    var child = values[Int(value)].first
    // The limit is far above the names or types of any real entity.
    while child >= 0, found.count < 1000, spend(1) {
      found.append(child)
      child = values[Int(child)].next
    }
    return found
  }

  /// Returns the text of the given string; nil for any other value.
  ///
  /// Escapes and HTML references are resolved once.
  func string(_ value: Int32?) -> String? {
    guard let value, values[Int(value)].kind == .string else { return nil }
    return decoded(values[Int(value)].text)
  }

  /// Returns the text of the given string or the source text of the given number; nil otherwise.
  func scalar(_ value: Int32?) -> String? {
    guard let value, values[Int(value)].kind == .bare else { return string(value) }
    let text = values[Int(value)].text
    guard text.count <= 32 else { return nil }
    return String(decoding: bytes[Int(text.lowerBound)..<Int(text.upperBound)], as: UTF8.self)
  }

  /// Returns the text of the given value.
  ///
  /// If the value is an array, it is the text of its first string. If the value is an object, it is
  /// the text of its `@value`.
  func text(_ value: Int32?) -> String? {
    for element in elements(of: value) {
      if let text = string(element) ?? string(member("@value", of: element)) { return text }
    }
    return nil
  }

  /// Returns `true` if the given value or one of its elements equals the given word, ignoring case.
  func equals(_ word: StaticString, _ value: Int32?) -> Bool {
    guard let value, values[Int(value)].kind != .object else { return false }
    return matches(values[Int(value)].text, word, ignoringCase: true)
      || elements(of: value).contains {
        $0 != value && matches(values[Int($0)].text, word, ignoringCase: true)
      }
  }

  /// Returns the short names of the types that the given object has.
  func types(of object: Int32) -> [String] {
    let found = elements(of: member("@type", of: object)).prefix(16)
    return found.compactMap { string($0).map(Self.shortName) }
  }

  /// Returns the given type name without the address or prefix of its vocabulary.
  static func shortName(_ name: String) -> String {
    let start = name.lastIndex { $0 == "/" || $0 == "#" || $0 == ":" }
    return start.map { String(name[name.index(after: $0)...]) } ?? name
  }

  private func matches(
    _ range: Range<Int32>, _ name: StaticString, ignoringCase: Bool = false
  ) -> Bool {
    var text = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
    let count = name.utf8CodeUnitCount
    guard text.count >= count else { return false }
    if text.count > count {
      for prefix in ["schema:", "http://schema.org/", "https://schema.org/"]
      where text.starts(with: prefix.utf8) {
        text = text.dropFirst(prefix.utf8.count)
      }
    }
    return name.withUTF8Buffer { wanted in
      text.elementsEqual(wanted) { ($0 | (ignoringCase && isLetter($0) ? 0x20 : 0)) == $1 }
    }
  }

  private func decoded(_ range: Range<Int32>) -> String {
    // A value is cut to 4 kB later, and an escaped character takes at most six bytes.
    let text = bytes[Int(range.lowerBound)..<Int(range.upperBound)].prefix(6 * 4096)
    guard spend(4 * text.count) else { return "" }
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var at = text.startIndex
    var surrogate: UInt32 = 0
    while at < text.endIndex {
      let byte = text[at]
      at += 1
      guard byte == UInt8(ascii: "\\"), at < text.endIndex else {
        output.append(byte < 0x20 ? 0x20 : byte)
        continue
      }
      let escape = text[at]
      at += 1
      switch escape {
      case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"),
        UInt8(ascii: "f"):
        output.append(0x20)
      case UInt8(ascii: "u"):
        guard let unit = Self.unit(text, &at) else { continue }
        if unit & 0xFC00 == 0xD800 {
          surrogate = unit
          continue
        }
        let isPair = unit & 0xFC00 == 0xDC00 && surrogate != 0
        let code = isPair ? 0x10000 + ((surrogate & 0x3FF) << 10) + (unit & 0x3FF) : unit
        surrogate = 0
        let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
        output.append(contentsOf: Character(scalar).utf8)
      default: output.append(escape)
      }
    }
    return CharacterReference.resolved(output[...], dropsTags: true)
  }

  private static func unit(_ text: ArraySlice<UInt8>, _ at: inout Int) -> UInt32? {
    guard at + 4 <= text.endIndex else { return nil }
    var unit: UInt32 = 0
    for byte in text[at..<(at + 4)] {
      guard let digit = byte.digit(isHex: true) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    at += 4
    return unit
  }
}
