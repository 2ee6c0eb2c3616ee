import Core

/// The facts about a record, in the YAML 1.2 block at the start of the record's file.
///
/// Readers of YAML 1.1 and 1.2 read every string unchanged. A string is written plain only if no
/// reader can take it for another value. All other strings are double-quoted. In them, line breaks,
/// controls, and characters that hide or reorder text are escaped.
struct FrontMatter {
  /// A value in the block.
  enum Value {
    case string(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case list([String])
    case map([(key: String, value: Value)])

    /// Returns the token counts of the given usage, by name.
    static func usage(_ usage: Usage) -> Value {
      let counts: [(String, Int?)] = [
        ("inputTokens", usage.inputTokens), ("outputTokens", usage.outputTokens),
        ("cacheReadTokens", usage.cacheReadTokens), ("cacheWriteTokens", usage.cacheWriteTokens),
        ("cacheWrite1hTokens", usage.cacheWrite1hTokens),
        ("reasoningTokens", usage.reasoningTokens),
      ]
      return .map(counts.compactMap { name, count in count.map { (name, .integer($0)) } })
    }
  }

  /// The entries that identify the record, which every file has.
  private var identity: [(key: String, value: Value)] = []
  /// The other entries, in the order in which they were added.
  private var entries: [(key: String, value: Value)] = []

  /// Adds the record's type, and the member that identifies the record among those of its type.
  mutating func identify(type: String, id: (key: String, value: String?)) {
    identity.append(("type", .string(type)))
    if let value = id.value { identity.append((id.key, .string(value))) }
  }

  /// Adds an entry with the given key and value, unless the value is nil.
  mutating func add(_ key: String, _ value: Value?) {
    guard let value else { return }
    entries.append((key, value))
  }

  /// Adds an entry with the given text, unless it is nil.
  mutating func add(_ key: String, _ text: String?) { add(key, text.map(Value.string)) }

  /// Adds an entry with the given instant, unless it is nil.
  mutating func add(_ key: String, _ instant: Timestamp?) { add(key, instant?.iso8601) }

  /// Adds an entry with the given integer, unless it is nil.
  mutating func add(_ key: String, _ number: Int?) { add(key, number.map(Value.integer)) }

  /// Adds an entry with the given Boolean, unless it is nil.
  mutating func add(_ key: String, _ flag: Bool?) { add(key, flag.map(Value.flag)) }

  /// Adds an entry with the given strings by name, unless they are nil.
  ///
  /// They are sorted by the bytes of their names.
  mutating func add(_ key: String, _ strings: [String: String]?) {
    let sorted = strings?.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    add(key, (sorted?.map { ($0.key, .string($0.value)) }).map(Value.map))
  }

  /// Returns the lines of the entries that identify the record and of the given fields.
  func lines(_ fields: NoteFields) -> String {
    let others = fields.chosen(from: entries, named: identity.map(\.key))
    return (identity + others).reduce(into: "---\n") { lines, entry in
      Self.add(entry.key, entry.value, indent: "", to: &lines)
    }
  }

  private static func add(
    _ key: String, _ value: Value, indent: String, to lines: inout String
  ) {
    let name = scalar(key)
    // In YAML, the colon after a plain key must be within 1,024 characters.
    lines += name.utf8.count > 1000 ? "\(indent)? \(name)\n\(indent):" : "\(indent)\(name):"
    switch value {
    case .string(let text): lines += " \(scalar(text))\n"
    case .integer(let number): lines += " \(number)\n"
    case .number(let number): lines += " \(scalar(number))\n"
    case .flag(let flag): lines += " \(flag)\n"
    case .list(let items):
      lines += items.isEmpty ? " []\n" : "\n"
      for item in items { lines += "\(indent)  - \(scalar(item))\n" }
    case .map(let entries):
      lines += entries.isEmpty ? " {}\n" : "\n"
      for entry in entries { add(entry.key, entry.value, indent: indent + "  ", to: &lines) }
    }
  }
}

extension FrontMatter {
  /// Returns the given text as a YAML scalar on one line.
  static func scalar(_ text: String) -> String {
    if isPlain(text) { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if isEscaped(scalar) {
          result += escape(scalar.value)
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }

  /// Returns the given number as a YAML scalar.
  ///
  /// It has a decimal point, because YAML 1.1 reads `1e-05` as a string.
  private static func scalar(_ number: Double) -> String {
    let digits = "\(number)"
    guard let mark = digits.firstIndex(of: "e"), !digits.contains(".") else { return digits }
    return digits[..<mark] + ".0" + digits[mark...]
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, first.isLetter,
      last != UInt8(ascii: " ")
    else { return false }
    let isSimple = text.utf8.allSatisfy { byte in
      byte.isLetter || byte.isDigit || " -_./".utf8.contains(byte)
    }
    return isSimple && !words.contains(text.lowercased())
  }

  /// The words that readers of YAML 1.1 or 1.2 take for other values than strings.
  private static let words: Set<String> = [
    "true", "false", "yes", "no", "on", "off", "y", "n", "null",
  ]

  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    if (0x20..<0x7F).contains(scalar.value) { return false }
    return switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    // The joiners that scripts and emoji need are not escaped.
    case .format: scalar.value != 0x200C && scalar.value != 0x200D
    default: false
    }
  }

  private static func escape(_ value: UInt32) -> String {
    let (mark, width) = value > 0xFFFF ? ("\\U", 8) : value > 0xFF ? ("\\u", 4) : ("\\x", 2)
    let digits = String(value, radix: 16, uppercase: true)
    return mark + String(repeating: "0", count: width - digits.count) + digits
  }
}
