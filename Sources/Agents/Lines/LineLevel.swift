import Core
import Terminals

/// The log level that a line states at its beginning.
///
/// Timestamps, brackets and colours before a word such as `ERROR` are skipped. A lower-case word
/// counts only if punctuation follows it or a bracket precedes it. ``WrittenLevel`` finds levels in
/// other forms.
enum LineLevel {
  private static let words: [String: Log.Level] = [
    "trace": .debug, "debug": .debug, "verbose": .debug,
    "info": .info, "notice": .info, "information": .info, "note": .info,
    "warn": .warn, "warning": .warn,
    "err": .error, "eror": .error, "error": .error, "severe": .error,
    "fatal": .critical, "critical": .critical, "crit": .critical, "panic": .critical,
    "alert": .critical, "emerg": .critical, "emergency": .critical,
  ]
  /// The number of bytes at the beginning of a line that are searched.
  private static let reach = 120

  /// Returns the level of the given line; `info` if its beginning states none.
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

  /// Returns the level that the given word names, ignoring case; nil if it names none.
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
    // A message such as 'fatal: not a git repository' ends one command, and is not a log level.
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

  /// `true` if the byte may precede the level: white space, a bracket, or part of a timestamp.
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
