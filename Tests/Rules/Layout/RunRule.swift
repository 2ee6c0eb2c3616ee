/// The `run()` of a tool is read at one glance; what it does in detail has a name of its own.
struct RunRule {
  /// The most statements of a `run()`, those of its blocks and closures included.
  static let most = 15

  /// The tools' names.
  let tools: [String]

  /// Returns each `run()` of a tool that has too many statements.
  func violations(in file: SourceFile) -> [Violation] {
    guard file.target.map(tools.contains) ?? false else { return [] }
    let tokens = TokenScanner.tokens(of: file)
    return tokens.indices.dropLast().compactMap { index in
      guard tokens[index].text == "func", tokens[index + 1].text == "run" else { return nil }
      let count = Self.statements(in: tokens[(index + 2)...])
      guard count > Self.most else { return nil }
      return Violation(
        path: file.path, line: tokens[index].line,
        reason: "run() has \(count) statements, \(Self.most) are allowed")
    }
  }

  /// Counts the statements of the body that follows.
  ///
  /// A statement begins a line outside of round and square brackets, and is not the rest of the line
  /// before. A block on one line belongs to its statement.
  static func statements(in tokens: ArraySlice<Token>) -> Int {
    /// The closing brackets that are awaited, innermost last.
    var awaited: [String] = []
    var count = 0
    for index in tokens.indices {
      let token = tokens[index]
      if awaited.contains("}"), awaited.last == "}", begins(at: index, of: tokens) { count += 1 }
      switch token.text {
      case "(": awaited.append(")")
      case "[": awaited.append("]")
      case "{": awaited.append("}")
      case ")", "]", "}":
        awaited.removeLast()
        if token.text == "}", awaited.isEmpty { return count }
      default: break
      }
    }
    return count
  }

  /// The words that go on with a statement at the start of a line.
  private static let rest: Set = ["else", "catch", "as", "is", "in", "where", "throws"]
  /// The marks that begin a statement at the start of a line.
  private static let marks: Set = ["\"", "0", "@", "#", "(", "["]
  /// The marks at the end of a line that leave its statement open.
  private static let open: Set = ["=", ",", "?", ":", "&", "|", "+", "-", "*", "/", "<", "."]

  private static func begins(at index: Int, of tokens: ArraySlice<Token>) -> Bool {
    let (token, before) = (tokens[index], tokens[index - 1])
    guard token.line > before.line, token.isWord || marks.contains(token.text) else { return false }
    if token.text == "case" || token.text == "default" {
      // A label is a part of its switch, but for a statement on the same line.
      return tokens[index...].prefix { $0.line == token.line }.last?.text != ":"
    }
    return !rest.contains(token.text)
      && (!open.contains(before.text) || isLabel(before, in: tokens))
  }

  /// Whether a colon at the end of a line ends the label of a case.
  private static func isLabel(_ colon: Token, in tokens: ArraySlice<Token>) -> Bool {
    let first = tokens.first { $0.line == colon.line }
    return colon.text == ":" && ["case", "default"].contains(first?.text)
  }
}
