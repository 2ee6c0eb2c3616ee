import TestSupport

/// Makes JSON texts with every form that the grammar allows.
struct RandomJSON {
  var random: SeededRandom

  /// An object with a string `type` and other members.
  mutating func record() -> [UInt8] {
    var members = ["\"type\"\(space()):\(space())\"kind\""]
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      members.append("\(string())\(space()):\(space())\(value(depth: 0))")
    }
    members.shuffle(using: &random)
    let body = members.joined(separator: "\(space()),\(space())")
    return Array("\(space()){\(space())\(body)\(space())}\(space())".utf8)
  }

  /// A text with some bytes removed, doubled, changed or swapped.
  mutating func mutated(_ text: [UInt8]) -> [UInt8] {
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

  private mutating func value(depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 4 ? 4 : 6), using: &random) {
    case 0: return string()
    case 1: return number()
    case 2: return random.one(of: ["true", "false", "null"], else: "null")
    case 3: return random.one(of: ["{}", "[]", "{ }", "[ ]"], else: "{}")
    case 4:
      let items = (0..<Int.random(in: 1...4, using: &random)).map { _ in value(depth: depth + 1) }
      return "[\(space())\(items.joined(separator: "\(space()),"))\(space())]"
    default:
      let members = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        "\(string())\(space()):\(value(depth: depth + 1))"
      }
      return "{\(space())\(members.joined(separator: ",\(space())"))\(space())}"
    }
  }

  private mutating func string() -> String {
    var text = "\""
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        text += random.one(
          of: ["\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u00e9", "\\u0000"],
          else: "")
      case 1: text += random.one(of: ["\\ud83d\\ude00", "é", "💡", "\u{2028}"], else: "")
      default: text += random.one(of: ["a", "Z", " ", "{", "]", ",", ":"], else: "")
      }
    }
    return text + "\""
  }

  private mutating func number() -> String {
    random.one(
      of: ["0", "-0", "1", "-12", "3.25", "0.0", "1e3", "1E+3", "-2.5e-7", "123456789012"],
      else: "0")
  }

  private mutating func space() -> String {
    random.one(of: ["", "", "", " ", "\t", " \t "], else: "")
  }
}
