/// How long a file and a function may be.
struct LengthRule {
  static let longestFile = 400
  /// A tool's folder holds options, `validate()` and `run()`, and nothing else.
  static let longestToolFile = 150

  static let longestFunction = 60

  /// The tools' names.
  let tools: [String]

  func violations(in file: SourceFile) -> [Violation] {
    let isTool = file.target.map(tools.contains) ?? false
    let limit = isTool ? Self.longestToolFile : Self.longestFile
    guard file.lines.count > limit else { return [] }
    return [
      Violation(
        path: file.path, line: limit + 1,
        reason: "has \(file.lines.count) lines, \(limit) are allowed")
    ]
  }

  /// The functions of a file that are too long, from the line of `func` or `init` to their last.
  static func functions(in file: SourceFile) -> [Violation] {
    guard file.path.hasSuffix(".swift") else { return [] }
    let tokens = TokenScanner.tokens(of: file)
    return tokens.indices.compactMap { index in
      guard let name = name(ofFunction: index, tokens), let end = end(after: index, tokens) else {
        return nil
      }
      let lines = tokens[end].line - tokens[index].line + 1
      guard lines > longestFunction else { return nil }
      return Violation(
        path: file.path, line: tokens[index].line,
        reason: "'\(name)' has \(lines) lines, \(longestFunction) are allowed")
    }
  }

  private static func name(ofFunction index: Int, _ tokens: [Token]) -> String? {
    guard index + 1 < tokens.count, index == 0 || tokens[index - 1].text != "." else { return nil }
    switch tokens[index].text {
    case "func": return tokens[index + 1].text
    case "init": return ["(", "?", "<"].contains(tokens[index + 1].text) ? "init" : nil
    default: return nil
    }
  }

  /// The place of the brace that ends a function's body; nil where it has none.
  private static func end(after start: Int, _ tokens: [Token]) -> Int? {
    var (parentheses, braces) = (0, 0)
    for index in tokens.indices[(start + 1)...] {
      switch tokens[index].text {
      case "(": parentheses += 1
      case ")": parentheses -= 1
      case "{" where parentheses == 0: braces += 1
      case "}" where parentheses == 0:
        braces -= 1
        if braces <= 0 { return braces == 0 ? index : nil }
      case "func" where parentheses == 0 && braces == 0: return nil
      default: break
      }
    }
    return nil
  }
}
