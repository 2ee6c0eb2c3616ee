import TestSupport

/// Makes lines that are events, or nearly, in every shape that might fool a filter.
struct HostileLines {
  var random: SeededRandom

  private static let names = [
    "type", "level", "ts", "swarmId", "agentId", "skillId", "incidentId", "message", "id", "count",
    "attrs", "Level", "levels", "leve", "agentID", "", "t", "tsx", "agentIdx", "é",
  ]
  private static let texts = [
    "log", "traceEvent", "debug", "info", "warn", "error", "critical", "ERROR", "a1", "a2", "s1",
    "k1", "i1", "", "a\u{0}1", "é", "💡", "a\"1", "a\\1", "err", "errors", "level\":\"error",
  ]

  private static let usual = [
    ("level", ["debug", "info", "warn", "error", "critical"]), ("agentId", ["a1", "a2", "é"]),
    ("swarmId", ["s1", ""]), ("skillId", ["k1", "💡"]), ("incidentId", ["i1", "a\"1", "a\\1"]),
  ]

  /// A line without its line feed, which no byte of it is.
  mutating func line() -> [UInt8] {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return mutated(object())
    case 1: return truncated(object())
    case 2: return notUTF8(object())
    case 3: return random.one(of: Self.oddities, else: "").utf8.map(\.self)
    default: return object()
    }
  }

  private static let oddities = [
    "", " ", "\t ", "{}", "[]", "null", "\"error\"", "{\"type\":1}", "{\"type\":\"\"}", "{", "}",
    "{\"type\":\"log\"}}", "{\"type\":\"log\"} {\"type\":\"log\"}", "{\"type\":\"log\",}",
    "{\"type\":\"log\"}\u{0}", "\u{FEFF}{\"type\":\"log\"}", "{\"type\":\"log\",\"a\":01}",
    "{\"type\":\"log\",\"level\":\"error\"}\r\r", "\r", "{\"type\":\"log\",\"a\":\"\\ud800\"}",
    nested(200, "[", "]"), nested(300, "[", "]"), nested(120, "{\"level\":", "}"),
    "{\"type\":\"log\",\"a\":\"\t\"}", "{\"type\":\"log\",\"a\":1.}", "{\"type\":\"log\" \"a\":1}",
    "{\"type\":\"log\",\"a\":tru}", "{\"type\":\"log\",\"a\":[1,]}", "{\"type\":\"log\",\"a\":-}",
  ]

  private static func nested(_ depth: Int, _ open: String, _ close: String) -> String {
    "{\"type\":\"log\",\"a\":" + String(repeating: open, count: depth) + "\"error\""
      + String(repeating: close, count: depth) + "}"
  }

  private mutating func object() -> [UInt8] {
    var members: [String] = []
    if !random.chance(20) { members.append("\(literal("type")):\(literal(text()))") }
    for (name, texts) in Self.usual where random.chance(2) {
      members.append("\(literal(name))\(space()):\(literal(random.one(of: texts, else: "")))")
    }
    if random.chance(2) { members.append("\(literal("ts")):\(time())") }
    for _ in 0..<Int.random(in: 0...4, using: &random) { members.append(member(depth: 0)) }
    members.shuffle(using: &random)
    let body = members.joined(separator: "\(space()),\(space())")
    return Array("\(space()){\(space())\(body)\(space())}\(space())".utf8)
  }

  private mutating func member(depth: Int) -> String {
    let name = literal(random.one(of: Self.names, else: ""))
    return "\(name)\(space()):\(space())\(value(depth: depth))"
  }

  private mutating func value(depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 3 ? 6 : 8), using: &random) {
    case 0...2: return literal(text())
    case 3: return time()
    case 4: return number()
    case 5: return random.one(of: ["true", "false", "null", "{}", "[]", "{ }", "[ ]"], else: "")
    case 6:
      let items = (0..<Int.random(in: 1...3, using: &random)).map { _ in value(depth: depth + 1) }
      return "[\(space())\(items.joined(separator: "\(space()),\(space())"))\(space())]"
    default:
      let items = (0..<Int.random(in: 1...3, using: &random)).map { _ in member(depth: depth + 1) }
      return "{\(space())\(items.joined(separator: ",\(space())"))\(space())}"
    }
  }

  private mutating func text() -> String {
    let text = random.one(of: Self.texts, else: "")
    return random.chance(6)
      ? text + String(repeating: "x", count: Int.random(in: 0...40, using: &random)) : text
  }

  private mutating func time() -> String {
    random.one(
      of: [
        "1735300000000", "1735299999999", "1735300000001", "1735300000000.5", "1.7353e12",
        "17353000000E2", "1735299999999.9999999999", "-1735300000000", "0", "1735300000000.0",
        "\"1735300000000\"",
      ], else: "0")
  }

  private mutating func number() -> String {
    random.one(
      of: [
        "0", "-0", "1", "-12", "3.25", "1e3", "1E+3", "-2.5e-7", "123456789012", "1e999", "-1e999",
        "9223372036854775808", "99999999999999999999999999999999", "1e-999",
        String(repeating: "9", count: 400),
      ], else: "0")
  }

  /// A string literal, some of whose characters are escaped though they need not be.
  private mutating func literal(_ text: String) -> String {
    var result = "\""
    let escapesAll = random.chance(8)
    for scalar in text.unicodeScalars {
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      guard mustEscape || escapesAll || random.chance(12) else {
        result.unicodeScalars.append(scalar)
        continue
      }
      if scalar == "\"" || scalar == "\\", random.chance(2) {
        result += "\\\(scalar)"
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16, uppercase: random.chance(2))
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result + "\""
  }

  private mutating func space() -> String {
    random.one(of: ["", "", "", "", "", " ", "\t", " \t ", "\r"], else: "")
  }

  private mutating func mutated(_ text: [UInt8]) -> [UInt8] {
    var bytes = text
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard let index = bytes.indices.randomElement(using: &random) else { return bytes }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.remove(at: index)
      case 1: bytes.insert(bytes[index], at: index)
      case 2: bytes[index] = random.one(of: Array("{}[]\",:\\u0123-+.eE tfn\u{0}\t".utf8), else: 0)
      default: bytes.swapAt(index, bytes.startIndex)
      }
    }
    return bytes
  }

  private mutating func truncated(_ text: [UInt8]) -> [UInt8] {
    Array(text.prefix(Int.random(in: 0...text.count, using: &random)))
  }

  private mutating func notUTF8(_ text: [UInt8]) -> [UInt8] {
    let bad: [[UInt8]] = [
      [0xFF], [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x9F],
      [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xE2, 0x82, 0x22],
    ]
    var bytes = text
    bytes.insert(
      contentsOf: random.one(of: bad, else: []),
      at: Int.random(in: 0...bytes.count, using: &random))
    return bytes
  }
}
