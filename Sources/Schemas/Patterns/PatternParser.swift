/// A parser of ECMA-262's regular expressions with the flag `u`.
///
/// Back references are rejected, because the work of matching them cannot be bounded.
///
/// A backslash before ASCII punctuation that needs no escape, such as `\-`, is ignored, because
/// many schemas contain it.
struct PatternParser {
  /// The maximum nesting of groups.
  static let mostDepth = 50

  let text: [Unicode.Scalar]
  var position = 0
  private var depth = 0

  init(_ text: String) { self.text = Array(text.unicodeScalars) }

  /// Reads the whole expression and returns its syntax tree.
  ///
  /// - Throws: ``PatternError`` if the expression is invalid.
  mutating func tree() throws(PatternError) -> PatternTree {
    let tree = try choice()
    if position < text.count { throw PatternError(reason: "a ')' closes nothing") }
    return tree
  }

  var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

  /// Skips the given text if it comes next.
  ///
  /// - Returns: `true` if the text was skipped.
  mutating func skip(_ words: String) -> Bool {
    let words = Array(words.unicodeScalars)
    guard text[position...].starts(with: words) else { return false }
    position += words.count
    return true
  }

  private mutating func choice() throws(PatternError) -> PatternTree {
    var choices = [try sequence()]
    while skip("|") { choices.append(try sequence()) }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(PatternError) -> PatternTree {
    var parts: [PatternTree] = []
    while let next, next != "|", next != ")" {
      let part = try part()
      guard let (least, most) = try quantifier() else {
        parts.append(part)
        continue
      }
      switch part {
      case .start, .end, .boundary, .lookaround:
        throw PatternError(reason: "a quantifier follows something that cannot be repeated")
      default: parts.append(.repeated(part, least: least, most: most))
      }
    }
    return parts.count == 1 ? parts[0] : parts.isEmpty ? .nothing : .sequence(parts)
  }

  private mutating func part() throws(PatternError) -> PatternTree {
    let scalar = text[position]
    position += 1
    switch scalar {
    case "^": return .start
    case "$": return .end
    case ".": return .one(ScalarSet(ScalarSet.complement(of: ScalarSet.lineEnds)).prepared())
    case "(": return try group()
    case "[": return .one(try characterClass().prepared())
    case "\\":
      if skip("b") { return .boundary(isNegated: false) }
      if skip("B") { return .boundary(isNegated: true) }
      return .one(try escape(inClass: false).prepared())
    case "*", "+", "?": throw PatternError(reason: "nothing precedes a '\(scalar)'")
    case "{", "}", "]": throw PatternError(reason: "a lone '\(scalar)' must be escaped")
    default: return .one(ScalarSet(scalar))
    }
  }

  private mutating func group() throws(PatternError) -> PatternTree {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.mostDepth { throw PatternError(reason: "its groups are nested too deeply") }
    var look: (isAhead: Bool, isNegated: Bool)?
    if skip("?=") {
      look = (true, false)
    } else if skip("?!") {
      look = (true, true)
    } else if skip("?<=") {
      look = (false, false)
    } else if skip("?<!") {
      look = (false, true)
    } else if skip("?<") {
      try groupName()
    } else if skip("?"), !skip(":") {
      throw PatternError(reason: "groups that begin with '(?' and set flags are not supported")
    }
    let inner = try choice()
    guard skip(")") else { throw PatternError(reason: "a '(' is not closed") }
    guard let look else { return inner }
    return .lookaround(inner, isAhead: look.isAhead, isNegated: look.isNegated)
  }

  /// Skips the name of a group.
  ///
  /// Only back references, which are rejected, use it.
  private mutating func groupName() throws(PatternError) {
    let began = position
    while let next, next != ">" {
      let isPart = next.properties.isIDContinue && position > began
      guard next == "_" || next == "$" || next.properties.isIDStart || isPart else { break }
      position += 1
    }
    guard position > began, skip(">") else {
      throw PatternError(reason: "the name of a group is malformed")
    }
  }

  /// Reads a quantifier and returns its bounds; nil if there is no quantifier.
  private mutating func quantifier() throws(PatternError) -> (Int, Int?)? {
    var result: (Int, Int?)
    if skip("*") {
      result = (0, nil)
    } else if skip("+") {
      result = (1, nil)
    } else if skip("?") {
      result = (0, 1)
    } else if skip("{") {
      guard let least = number() else {
        throw PatternError(reason: "a '{' is not followed by a count")
      }
      result = (least, skip(",") ? number() : least)
      guard skip("}") else { throw PatternError(reason: "a '{' is not followed by a count") }
      if let most = result.1, most < least {
        throw PatternError(reason: "the counts of a '{}' are out of order")
      }
    } else {
      return nil
    }
    // A lazy quantifier changes the range of a match, but not the fact that there is one.
    _ = skip("?")
    return result
  }

  /// Reads a number, which is capped at a large value; nil if there are no digits.
  private mutating func number() -> Int? {
    var result: Int?
    while let next, "0"..."9" ~= next {
      result = min((result ?? 0) * 10 + Int(next.value - 0x30), 1_000_000_000)
      position += 1
    }
    return result
  }
}
