import Core

/// The conversion of unquoted words to values.
enum TOMLWord {
  /// Returns the value of the given word; nil if it is not a value or does not fit in 64 bits.
  static func value(_ word: ArraySlice<UInt8>) -> TOMLValue? {
    let text = String(decoding: word, as: UTF8.self)
    switch text {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "inf", "+inf": return .float(.infinity)
    case "-inf": return .float(-.infinity)
    case "nan", "+nan", "-nan": return .float(.nan)
    default: break
    }
    if isInstant(word) { return .instant(text) }
    if let integer = prefixed(word) { return integer }
    guard let isFloat = isDecimal(word) else { return nil }
    let plain = text.filter { $0 != "_" }
    return isFloat ? Double(plain).map(TOMLValue.float) : Int64(plain).map(TOMLValue.integer)
  }

  /// Returns the reason why the given word is not a value.
  static func reason(_ word: ArraySlice<UInt8>) -> String {
    let isWhole = isDecimal(word) == false || isPrefixed(word)
    let shown = String(decoding: word.prefix(40), as: UTF8.self)
    return isWhole ? "'\(shown)' does not fit in 64 bits" : "'\(shown)' is not a value"
  }

  static func isDigit(_ byte: UInt8, of radix: Int) -> Bool {
    switch byte {
    case 0x30...0x39: Int(byte - 0x30) < radix
    case 0x41...0x46, 0x61...0x66: radix == 16
    default: false
    }
  }
}

extension TOMLWord {
  /// Returns `true` if the bytes are digits of the given radix.
  ///
  /// Single underscores are allowed between digits.
  private static func isDigits(_ bytes: ArraySlice<UInt8>, of radix: Int = 10) -> Bool {
    bytes.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0.allSatisfy { isDigit($0, of: radix) }
    }
  }

  private static func radix(_ word: ArraySlice<UInt8>) -> Int? {
    guard word.first == UInt8(ascii: "0") else { return nil }
    return switch word.dropFirst().first {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  private static func isPrefixed(_ word: ArraySlice<UInt8>) -> Bool {
    radix(word).map { isDigits(word.dropFirst(2), of: $0) } ?? false
  }

  private static func prefixed(_ word: ArraySlice<UInt8>) -> TOMLValue? {
    guard isPrefixed(word), let radix = radix(word) else { return nil }
    let digits = word.dropFirst(2).filter { $0 != UInt8(ascii: "_") }
    return Int64(String(decoding: digits, as: UTF8.self), radix: radix).map(TOMLValue.integer)
  }

  /// Returns `true` if the word is a decimal number with a fraction or an exponent.
  ///
  /// - Returns: `false` if the word is a whole number; nil if it is not a decimal number.
  private static func isDecimal(_ word: ArraySlice<UInt8>) -> Bool? {
    let exponent = word.firstIndex { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    let point = word.firstIndex(of: UInt8(ascii: "."))
    var whole = unsigned(word[..<min(exponent ?? word.endIndex, point ?? word.endIndex)])
    guard isDigits(whole) else { return nil }
    if whole.popFirst() == UInt8(ascii: "0"), !whole.isEmpty { return nil }
    if let exponent {
      guard isDigits(unsigned(word[(exponent + 1)...])) else { return nil }
    }
    if let point {
      guard point < exponent ?? word.endIndex,
        isDigits(word[(point + 1)..<(exponent ?? word.endIndex)])
      else { return nil }
    }
    return exponent != nil || point != nil
  }

  private static func unsigned(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.first.map { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") } ?? false
      ? bytes.dropFirst() : bytes
  }
}

extension TOMLWord {
  /// Returns `true` if the word has the form of a date, such as `2026-02-25`.
  static func isDate(_ word: ArraySlice<UInt8>) -> Bool {
    fields(word, "dddd-dd-dd") != nil
  }

  /// Returns `true` if the word is a valid date, time or both (RFC 3339).
  ///
  /// An offset is optional.
  private static func isInstant(_ word: ArraySlice<UInt8>) -> Bool {
    guard isDate(word.prefix(10)) else { return timeEnd(word) == word.endIndex }
    guard isDay(word.prefix(10)) else { return false }
    let rest = word.dropFirst(10)
    guard let separator = rest.first else { return true }
    guard "Tt ".utf8.contains(separator), let end = timeEnd(rest.dropFirst()) else { return false }
    let offset = word[end...]
    if offset.isEmpty || offset.elementsEqual("Z".utf8) || offset.elementsEqual("z".utf8) {
      return true
    }
    guard offset.first == UInt8(ascii: "+") || offset.first == UInt8(ascii: "-"),
      let fields = fields(offset.dropFirst(), "dd:dd")
    else { return false }
    return fields[0] < 24 && fields[1] < 60
  }

  private static func isDay(_ word: ArraySlice<UInt8>) -> Bool {
    guard let day = fields(word, "dddd-dd-dd"), day[0] > 0, (1...12).contains(day[1]) else {
      return false
    }
    let isLeap = day[0] % 4 == 0 && (day[0] % 100 != 0 || day[0] % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return day[2] >= 1 && day[2] <= days[day[1] - 1]
  }

  /// Returns the index after the time at the start of the given word; nil if there is no time.
  private static func timeEnd(_ word: ArraySlice<UInt8>) -> Int? {
    guard let time = fields(word.prefix(8), "dd:dd:dd"), time[0] < 24, time[1] < 60, time[2] < 60
    else { return nil }
    let rest = word.dropFirst(8)
    guard rest.first == UInt8(ascii: ".") else { return rest.startIndex }
    let digits = rest.dropFirst().prefix(while: \.isDigit)
    return digits.isEmpty ? nil : digits.endIndex
  }

  /// Returns the numbers in the given word if it has the given form; otherwise nil.
  ///
  /// In `form`, each `d` stands for a digit.
  private static func fields(_ word: ArraySlice<UInt8>, _ form: StaticString) -> [Int]? {
    guard word.count == form.utf8CodeUnitCount else { return nil }
    return form.withUTF8Buffer { form in
      var fields = [0]
      for (byte, wanted) in zip(word, form) {
        if wanted == UInt8(ascii: "d") {
          guard byte.isDigit else { return nil }
          fields[fields.count - 1] = fields[fields.count - 1] * 10 + Int(byte - 0x30)
        } else {
          guard byte == wanted else { return nil }
          fields.append(0)
        }
      }
      return fields
    }
  }
}
