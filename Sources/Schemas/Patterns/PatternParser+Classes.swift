extension PatternParser {
  /// Reads the rest of a character class after its `[`.
  mutating func characterClass() throws(PatternError) -> ScalarSet {
    var set = ScalarSet()
    set.isNegated = skip("^")
    while !skip("]") {
      let first = try classPart()
      guard text[position...].first == "-", text.dropFirst(position + 1).first != "]",
        position + 1 < text.count
      else {
        set.ranges += first.ranges
        set.properties += first.properties
        continue
      }
      position += 1
      let last = try classPart()
      guard let low = first.only, let high = last.only else {
        throw PatternError(reason: "a range of a class has no character at an end")
      }
      guard low <= high else {
        throw PatternError(reason: "a range of a class is out of order")
      }
      set.ranges.append(low...high)
    }
    return set
  }

  private mutating func classPart() throws(PatternError) -> ScalarSet {
    guard let next else { throw PatternError(reason: "a '[' is not closed") }
    position += 1
    return next == "\\" ? try escape(inClass: true) : ScalarSet(next)
  }

  /// Reads the rest of an escape after its backslash.
  ///
  /// Word boundaries are not read here.
  mutating func escape(inClass: Bool) throws(PatternError) -> ScalarSet {
    guard let next else { throw PatternError(reason: "it ends with a backslash") }
    position += 1
    switch next {
    case "d": return ScalarSet(ScalarSet.digits)
    case "D": return ScalarSet(ScalarSet.complement(of: ScalarSet.digits))
    case "w": return ScalarSet(ScalarSet.wordParts)
    case "W": return ScalarSet(ScalarSet.complement(of: ScalarSet.wordParts))
    case "s": return ScalarSet(ScalarSet.spaces)
    case "S": return ScalarSet(ScalarSet.complement(of: ScalarSet.spaces))
    case "p", "P": return try property(isNegated: next == "P")
    case "t": return ScalarSet("\t")
    case "n": return ScalarSet("\n")
    case "v": return ScalarSet("\u{0B}")
    case "f": return ScalarSet("\u{0C}")
    case "r": return ScalarSet("\r")
    case "b" where inClass: return ScalarSet("\u{08}")
    case "c": return try control()
    case "0":
      if let digit = self.next, "0"..."9" ~= digit {
        throw PatternError(reason: "'\\0' is followed by a digit")
      }
      return ScalarSet("\0")
    case "1"..."9", "k":
      throw PatternError(reason: "back references are not supported")
    case "x": return ScalarSet([try hexadecimal(2)].map { $0...$0 })
    case "u": return try codePoint()
    case _ where next.isASCII && !next.properties.isAlphabetic && next.value >= 0x21:
      return ScalarSet(next)
    default: throw PatternError(reason: "'\\\(next)' is not an escape")
    }
  }

  private mutating func control() throws(PatternError) -> ScalarSet {
    guard let next, next.isASCII, next.properties.isAlphabetic else {
      throw PatternError(reason: "no letter follows '\\c'")
    }
    position += 1
    return ScalarSet([next.value & 0x1F...next.value & 0x1F])
  }

  private mutating func property(isNegated: Bool) throws(PatternError) -> ScalarSet {
    guard skip("{"), let end = text[position...].firstIndex(of: "}") else {
      throw PatternError(reason: "no name in braces follows '\\p'")
    }
    let name = String(String.UnicodeScalarView(text[position..<end]))
    position = end + 1
    let isName = name.utf8.allSatisfy {
      0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F || $0 == 0x3D
    }
    guard isName, let property = ScalarSet.Property(name, isNegated: isNegated) else {
      throw PatternError(reason: "'\\p' names no character property")
    }
    var set = ScalarSet()
    set.properties = [property]
    return set
  }

  /// Reads the rest of an escape of the form `\u0041` or `\u{41}`, or a pair of surrogates.
  ///
  /// A lone surrogate occurs in no text, so it matches nothing.
  private mutating func codePoint() throws(PatternError) -> ScalarSet {
    if skip("{") {
      var value: UInt32 = 0
      let began = position
      while let digit = next.flatMap(Self.hexadecimal) {
        value = min(value * 16 + digit, ScalarSet.last + 1)
        position += 1
      }
      guard position > began, skip("}"), value <= ScalarSet.last else {
        throw PatternError(reason: "'\\u{' names no character")
      }
      return ScalarSet([value...value])
    }
    let high = try hexadecimal(4)
    let after = position
    if 0xD800...0xDBFF ~= high, skip("\\u"), let low = try? hexadecimal(4),
      0xDC00...0xDFFF ~= low
    {
      let value = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
      return ScalarSet([value...value])
    }
    position = after
    return ScalarSet([high...high])
  }

  private mutating func hexadecimal(_ count: Int) throws(PatternError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = next.flatMap(Self.hexadecimal) else {
        throw PatternError(reason: "an escape has fewer than \(count) hexadecimal digits")
      }
      value = value * 16 + digit
      position += 1
    }
    return value
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> UInt32? {
    scalar.isASCII ? Character(scalar).hexDigitValue.map(UInt32.init) : nil
  }
}

extension ScalarSet {
  /// The code point of the only character in the set; nil if the set has another number of
  /// characters.
  fileprivate var only: UInt32? {
    guard ranges.count == 1, properties.isEmpty, let range = ranges.first, range.count == 1 else {
      return nil
    }
    return range.lowerBound
  }
}
