import Core

/// A parser of selectors.
///
/// It rejects unsupported parts and names their position.
struct SelectorParser {
  private let text: [UInt8]
  private var index = 0
  private var list = SelectorList()
  private var depth = 0

  /// Parses the given selector.
  ///
  /// - Throws: `BadUsage` if the selector is invalid or not supported.
  static func parse(_ selector: String) throws(Failure) -> SelectorList {
    var parser = SelectorParser(text: Array(selector.utf8))
    guard parser.text.count <= 4096 else { throw parser.fault("is longer than 4096 bytes") }
    parser.list.alternatives = try parser.alternatives()
    guard parser.index == parser.text.count else { throw parser.unexpected() }
    return parser.list
  }

  private init(text: [UInt8]) { self.text = text }

  private mutating func alternatives() throws(Failure) -> [Selector] {
    var found: [Selector] = []
    repeat {
      found.append(try selector())
    } while accepts(",")
    return found
  }

  private mutating func selector() throws(Failure) -> Selector {
    skipSpace()
    var steps = [(Selector.Combinator.descendant, try compound())]
    while true {
      let hadSpace = skipSpace()
      let combinator: Selector.Combinator
      switch peek {
      case UInt8(ascii: ">"): combinator = .child
      case UInt8(ascii: "+"): combinator = .next
      case UInt8(ascii: "~"): combinator = .subsequent
      case 0, UInt8(ascii: ","), UInt8(ascii: ")"): return Selector(steps: steps)
      default:
        guard hadSpace else { throw unexpected() }
        steps.append((.descendant, try compound()))
        continue
      }
      index += 1
      skipSpace()
      steps.append((combinator, try compound()))
    }
  }

  private mutating func compound() throws(Failure) -> [Selector.Condition] {
    var conditions: [Selector.Condition] = []
    let start = index
    if accepts("*") {
      // This matches any element.
    } else if isNameStart {
      conditions.append(list.names.condition(ofTag: try name().map(\.lowercased)))
    }
    while true {
      switch peek {
      case UInt8(ascii: "#"):
        index += 1
        conditions.append(.id(try name()))
      case UInt8(ascii: "."):
        index += 1
        conditions.append(.class(try name()))
      case UInt8(ascii: "["): conditions.append(try attribute())
      case UInt8(ascii: ":"): conditions.append(try pseudoClass())
      default:
        guard index > start else { throw unexpected() }
        return conditions
      }
    }
  }

  private mutating func attribute() throws(Failure) -> Selector.Condition {
    index += 1
    skipSpace()
    let start = index
    guard let attribute = list.names.attribute(try name().map(\.lowercased)) else {
      throw fault("names more attributes than \(Attribute.selected.count)", at: start)
    }
    skipSpace()
    if accepts("]") { return .attribute(attribute, .exists, [], ignoresCase: false) }
    let operators: [(String, Selector.Operator)] = [
      ("~=", .includes), ("|=", .dashes), ("^=", .begins), ("$=", .ends), ("*=", .contains),
      ("=", .equals),
    ]
    guard let found = operators.first(where: { text[index...].starts(with: $0.0.utf8) }) else {
      throw unexpected()
    }
    index += found.0.utf8.count
    skipSpace()
    let value = peek == 0x22 || peek == 0x27 ? try string() : try name()
    skipSpace()
    let ignoresCase = peek | 0x20 == UInt8(ascii: "i")
    if ignoresCase || peek | 0x20 == UInt8(ascii: "s") {
      index += 1
      skipSpace()
    }
    guard accepts("]") else { throw unexpected() }
    return .attribute(attribute, found.1, value, ignoresCase: ignoresCase)
  }

  private mutating func pseudoClass() throws(Failure) -> Selector.Condition {
    let start = index
    index += 1
    let name = String(decoding: try name().map(\.lowercased), as: UTF8.self)
    let isFunction = accepts("(")
    let condition = try isFunction ? function(name, start) : keyword(name)
    guard let condition else {
      throw fault("has ':\(name)\(isFunction ? "()" : "")', which is not known here", at: start)
    }
    guard !isFunction || accepts(")") else { throw unexpected() }
    return condition
  }

  private func keyword(_ name: String) -> Selector.Condition? {
    switch name {
    case "root": .root
    case "empty": .empty
    case "first-child": .position(.init(step: 0, start: 1))
    case "last-child": .position(.init(step: 0, start: 1, countsFromEnd: true))
    case "first-of-type": .position(.init(step: 0, start: 1, isOfType: true))
    case "last-of-type":
      .position(.init(step: 0, start: 1, countsFromEnd: true, isOfType: true))
    default: nil
    }
  }

  private mutating func function(
    _ name: String, _ start: Int
  ) throws(Failure) -> Selector.Condition? {
    switch name {
    case "not", "is", "where", "matches":
      depth += 1
      guard depth <= 16 else { throw fault("is nested too deeply", at: start) }
      let inner = try alternatives()
      skipSpace()
      depth -= 1
      return name == "not" ? .not(inner) : .matches(inner)
    case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
      var position = try position()
      position.countsFromEnd = name.hasPrefix("nth-last")
      position.isOfType = name.hasSuffix("of-type")
      return .position(position)
    default: return nil
    }
  }

  /// Reads a position such as `odd`, `even`, `3`, `2n` or `-n+3`.
  private mutating func position() throws(Failure) -> Selector.Position {
    let start = index
    let end = text[index...].firstIndex(of: UInt8(ascii: ")")) ?? text.count
    let formula = String(decoding: text[start..<end].filter { !isSpace($0) }, as: UTF8.self)
      .lowercased()
    index = end
    if formula == "odd" { return .init(step: 2, start: 1) }
    if formula == "even" { return .init(step: 2, start: 0) }
    let parts = formula.split(separator: "n", omittingEmptySubsequences: false)
    let last = parts.last.flatMap { $0.isEmpty ? 0 : Int($0) }
    if parts.count == 1, let last, !formula.isEmpty { return .init(step: 0, start: last) }
    let steps = ["": 1, "+": 1, "-": -1]
    guard parts.count == 2, let last, let step = steps[String(parts[0])] ?? Int(parts[0]),
      abs(step) < 1_000_000, abs(last) < 1_000_000
    else { throw fault("has no position like '2n+1'", at: start) }
    return .init(step: step, start: last)
  }

  private mutating func name() throws(Failure) -> [UInt8] {
    var name: [UInt8] = []
    while index < text.count {
      if isNameByte(text[index]) {
        name.append(text[index])
        index += 1
      } else if text[index] == UInt8(ascii: "\\"), index + 1 < text.count {
        name += escape()
      } else {
        break
      }
    }
    guard !name.isEmpty else { throw unexpected() }
    return name
  }

  private mutating func string() throws(Failure) -> [UInt8] {
    let (start, quote) = (index, text[index])
    var value: [UInt8] = []
    index += 1
    while index < text.count, text[index] != quote {
      if text[index] == UInt8(ascii: "\\"), index + 1 < text.count {
        value += escape()
      } else {
        value.append(text[index])
        index += 1
      }
    }
    guard index < text.count else { throw fault("has a string without an end", at: start) }
    index += 1
    return value
  }

  /// Reads an escape: a backslash and a character, or up to six digits of a character's code.
  private mutating func escape() -> [UInt8] {
    index += 1
    let digits = text[index...].prefix(6).prefix { $0.digit(isHex: true) != nil }
    guard !digits.isEmpty else {
      index += 1
      return [text[index - 1]]
    }
    index = digits.endIndex
    if isSpace(peek) { index += 1 }
    let code = digits.reduce(UInt32(0)) { $0 * 16 + UInt32($1.digit(isHex: true) ?? 0) }
    return Array(String(Character(Unicode.Scalar(code) ?? "\u{FFFD}")).utf8)
  }

  private var peek: UInt8 { index < text.count ? text[index] : 0 }

  private var isNameStart: Bool {
    index < text.count && (isNameByte(peek) && !isDigit(peek) || peek == UInt8(ascii: "\\"))
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == 0x2D || byte == 0x5F || byte >= 0x80
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = index
    while index < text.count, isSpace(text[index]) { index += 1 }
    return index > start
  }

  /// Skips the given character if it comes next.
  ///
  /// - Returns: `true` if the character was skipped.
  private mutating func accepts(_ wanted: Unicode.Scalar) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: wanted) else { return false }
    index += 1
    return true
  }

  private func unexpected() -> Failure {
    guard index < text.count else { return fault("ends too early") }
    let rest = String(decoding: text[index...], as: UTF8.self)
    return fault("has an unexpected '\(rest.first.map { String($0) } ?? "")'")
  }

  private func fault(_ reason: String, at place: Int? = nil) -> Failure {
    let before = String(decoding: text[..<(place ?? index)], as: UTF8.self).count
    return Failure(
      .badUsage, "the selector \(reason), at character \(before + 1)", kind: .badSelector)
  }
}
