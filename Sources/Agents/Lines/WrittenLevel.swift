import Core

/// The log level that a line states in a form that ``LineLevel`` does not know.
///
/// The forms are an object with a `level`, `level=error`, a compiler's `file:line: error:`,
/// Python's `Traceback`, `npm ERR!`, and klog's `E1122`. Bytes are examined in place and never
/// copied, because every line of a command is examined.
enum WrittenLevel {
  /// The number of bytes that are searched, in an object and in any other line.
  private static let reach = (object: 2000, line: 300)

  /// The names of members that contain a level; `@l` is Serilog's.
  private static let names: [StaticString] = [
    "level", "lvl", "severity", "levelname", "loglevel", "log_level", "log.level", "@l",
  ]

  // MARK: Objects

  /// Returns the level of a line that begins with `{`, from its outermost members.
  static func ofObject(_ bytes: [UInt8]) -> Log.Level? {
    let line = bytes.prefix(reach.object)
    var depth = 0
    var index = 0
    // A name follows the brace or a comma.
    var isName = true
    while index < line.count {
      switch line[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ","): isName = true
      case UInt8(ascii: "\""):
        let end = end(ofString: index, in: line)
        if depth == 1, isName, isLevelName(line[(index + 1)..<end]) {
          return level(ofValue: line[end...].dropFirst())
        }
        isName = false
        index = end
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Returns the index of the quote that ends the string with the given start; without one, the end
  /// of the searched bytes.
  private static func end(ofString start: Int, in line: ArraySlice<UInt8>) -> Int {
    var index = start + 1
    while index < line.endIndex, line[index] != UInt8(ascii: "\"") {
      index += line[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index, line.endIndex)
  }

  /// Returns the level that follows the colon of a member.
  ///
  /// It is a word, or a number as in Bunyan and Pino.
  private static func level(ofValue rest: ArraySlice<UInt8>) -> Log.Level? {
    var value = rest.drop { $0 == UInt8(ascii: ":") || $0 == 0x20 || $0 == 0x09 }
    if value.first?.isDigit ?? false {
      let number = value.prefix { $0.isDigit }.prefix(4).reduce(0) { $0 * 10 + Int($1 - 0x30) }
      switch number {
      case 60...: return .critical
      case 50...: return .error
      case 40...: return .warn
      case 30...: return .info
      default: return number >= 10 ? .debug : nil
      }
    }
    guard value.first == UInt8(ascii: "\"") else { return nil }
    value = value.dropFirst()
    return LineLevel.named(value.prefix { $0.isLetter })
  }

  private static func isLevelName(_ name: ArraySlice<UInt8>) -> Bool {
    names.contains { known in
      known.utf8CodeUnitCount == name.count
        && name.elementsEqual(
          UnsafeBufferPointer(start: known.utf8Start, count: known.utf8CodeUnitCount)
        ) { $0 == $1 || $0 | 0x20 == $1 && $0.isLetter }
    }
  }

  // MARK: Lines

  /// Returns the level of the given line, whose first word does not name one.
  static func of(_ bytes: [UInt8], firstWord word: Range<Int>) -> Log.Level? {
    let line = bytes.prefix(reach.line)
    let after = word.upperBound < line.count ? line[word.upperBound] : 0x20
    switch after {
    case UInt8(ascii: "="): return ofPairs(line[word.lowerBound...])
    case 0x20, UInt8(ascii: "!"): return ofSpoken(line[word], rest: line[word.upperBound...])
    case _ where isErrorName(line[word.lowerBound...]): return .error
    default:
      if word.count == 1, after.isDigit { return ofKlog(line[word.lowerBound...]) }
      return ofCompiler(line[word.lowerBound...])
    }
  }

  /// Returns the level of lines such as `npm ERR! …`, `npm error …` and
  /// `Traceback (most recent call last):`; nil for any other line.
  private static func ofSpoken(
    _ word: ArraySlice<UInt8>, rest: ArraySlice<UInt8>
  ) -> Log.Level? {
    if word.elementsEqual("npm".utf8) {
      return LineLevel.named(rest.dropFirst().prefix { $0.isLetter })
    }
    return crashes.contains { word.elementsEqual($0.word.utf8) && rest.starts(with: $0.rest.utf8) }
      ? .error : nil
  }

  /// The first words of lines that report a crash, each with the text that must follow.
  private static let crashes = [
    ("Traceback", " (most recent call"), ("Fatal", " error: "), ("fatal", " error: "),
    ("Exception", " in thread \""), ("Uncaught", " "), ("Unhandled", " exception"),
    ("Unhandled", " Exception"),
  ].map { (word: $0.0, rest: $0.1) }

  /// Returns `true` if the line begins with an error's name and a colon, such as `ValueError: …`.
  private static func isErrorName(_ line: ArraySlice<UInt8>) -> Bool {
    let name = line.prefix { $0.isLetter || $0.isDigit || "_.$".utf8.contains($0) }
    let rest = line[name.endIndex...]
    let isEnded = rest.dropFirst().first.map { $0 == 0x20 } ?? true
    guard rest.first == UInt8(ascii: ":"), isEnded else { return false }
    return name.count > 5 && name.suffix(5).elementsEqual("Error".utf8)
      || name.count > 9 && name.suffix(9).elementsEqual("Exception".utf8)
  }

  /// Returns the level of a line in klog's form, such as `E1122 10:00:00.000000 …`; nil for any
  /// other line.
  private static func ofKlog(_ line: ArraySlice<UInt8>) -> Log.Level? {
    let digits = line.dropFirst().prefix { $0.isDigit }
    let rest = line[digits.endIndex...]
    guard digits.count == 4, rest.first == 0x20, rest.dropFirst().first?.isDigit ?? false else {
      return nil
    }
    switch line.first {
    case UInt8(ascii: "I"): return .info
    case UInt8(ascii: "W"): return .warn
    case UInt8(ascii: "E"): return .error
    case UInt8(ascii: "F"): return .critical
    default: return nil
    }
  }

  /// Returns the level in a line of names and values, such as `time="…" level=error msg="…"`; nil
  /// if there is none.
  private static func ofPairs(_ line: ArraySlice<UInt8>) -> Log.Level? {
    var rest = line
    while !rest.isEmpty {
      let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != 0x20 }
      guard rest[name.endIndex...].first == UInt8(ascii: "=") else { return nil }
      var value = rest[(name.endIndex + 1)...]
      let isQuoted = value.first == UInt8(ascii: "\"")
      if isLevelName(name) {
        if isQuoted { value = value.dropFirst() }
        return LineLevel.named(value.prefix { $0.isLetter })
      }
      let end =
        isQuoted
        ? end(ofString: value.startIndex, in: value) + 1
        : value.firstIndex(of: 0x20) ?? value.endIndex
      rest = value[min(end, value.endIndex)...].drop { $0 == 0x20 }
    }
    return nil
  }

  /// Returns the level in a compiler's line, such as `file.c:12:3: error: …`; nil for any other
  /// line.
  ///
  /// The forms `file.ts(12,3): error …` and `file.ts:12:3 - error …` are also recognized.
  private static func ofCompiler(_ line: ArraySlice<UInt8>) -> Log.Level? {
    guard
      let mark = line.firstIndex(where: {
        $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "(") || $0 <= 0x20
      }), line[mark] > 0x20, line[(mark + 1)...].first?.isDigit ?? false
    else { return nil }
    var rest = line[mark...].drop { $0.isDigit || ":,()".utf8.contains($0) }
    // A colon or a dash must follow; otherwise this may be a time of day.
    guard rest.first == 0x20 else { return nil }
    let isClosed = [UInt8(ascii: ":"), UInt8(ascii: ")")].contains(line[rest.startIndex - 1])
    rest = rest.dropFirst()
    if rest.starts(with: "- ".utf8) { rest = rest.dropFirst(2) } else if !isClosed { return nil }
    if rest.dropFirst().starts(with: "atal error".utf8) { return .error }
    let word = rest.prefix { $0.isLetter }
    guard let after = rest[word.endIndex...].first, after == UInt8(ascii: ":") || after == 0x20
    else { return nil }
    return LineLevel.named(word)
  }
}
