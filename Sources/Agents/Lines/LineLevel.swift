import Core
import Terminals

/// Tells from the beginning of a line how much the line matters.
///
/// Instants, brackets and colours are passed over; then comes a word such as `ERROR`. A word in
/// small letters counts where a mark follows it or a bracket stands before it: `error: no such file`
/// is one, `error handling is tested` is none. ``WrittenLevel`` knows the forms that name a level
/// elsewhere.
enum LineLevel {
  private static let words: [String: Log.Level] = [
    "trace": .debug, "debug": .debug, "verbose": .debug,
    "info": .info, "notice": .info, "information": .info, "note": .info,
    "warn": .warn, "warning": .warn,
    "err": .error, "eror": .error, "error": .error, "severe": .error,
    "fatal": .critical, "critical": .critical, "crit": .critical, "panic": .critical,
    "alert": .critical, "emerg": .critical, "emergency": .critical,
  ]
  /// So many bytes are looked at.
  private static let reach = 120

  /// The level of a line; `info` where its beginning names none.
  static func of(_ written: [UInt8]) -> Log.Level {
    let bytes = EscapeSequences.removed(from: written)
    let line = bytes.prefix(reach)
    if line.first == UInt8(ascii: "{"), let level = WrittenLevel.ofObject(bytes) { return level }
    var index = 0
    var isBracketed = false
    while index < line.count {
      let byte = line[index]
      if byte.isLetter {
        let end = line[index...].firstIndex { !$0.isLetter } ?? line.count
        let isInstant = end - index == 1 && (byte == UInt8(ascii: "T") || byte == UInt8(ascii: "Z"))
        guard isInstant, index > 0, line[index - 1].isDigit else {
          return level(line[index..<end], before: isBracketed, after: line[end...].first)
            ?? WrittenLevel.of(bytes, firstWord: index..<end) ?? .info
        }
        index = end
      } else {
        guard byte.isDigit || byte.isPassed else { return .info }
        if byte != UInt8(ascii: " ") { isBracketed = byte.isBracket }
        index += 1
      }
    }
    return .info
  }

  /// The level that a word names, however it is written.
  static func named(_ word: ArraySlice<UInt8>) -> Log.Level? {
    guard 3...11 ~= word.count else { return nil }
    return words[String(decoding: word, as: UTF8.self).lowercased()]
  }

  private static func level(
    _ word: ArraySlice<UInt8>, before isBracketed: Bool, after: UInt8?
  ) -> Log.Level? {
    guard let level = named(word) else { return nil }
    let isLoud = word.allSatisfy { $0 < UInt8(ascii: "a") }
    let isMarked = after.map { ":])>}|![".utf8.contains($0) } ?? true
    let goesOn = after.map { "-_'.=".utf8.contains($0) } ?? false
    guard !goesOn, isLoud || isMarked || isBracketed else { return nil }
    // 'fatal: not a git repository' ends one command, and is no level of a log.
    let isSpoken = ["fatal", "Fatal"].contains { word.elementsEqual($0.utf8) } && !isBracketed
    return isSpoken ? .error : level
  }
}

extension UInt8 {
  fileprivate var isBracket: Bool {
    switch self {
    case UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "{"),
      UInt8(ascii: "|"):
      true
    default: false
    }
  }

  /// Whether it may stand before the word that tells a level: white space, brackets, and what
  /// instants are written with.
  fileprivate var isPassed: Bool {
    switch self {
    case 0x09, 0x0D, 0x20:
      true
    case UInt8(ascii: "#"), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: ","), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"),
      UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "]"),
      UInt8(ascii: "}"):
      true
    default: isBracket
    }
  }
}
