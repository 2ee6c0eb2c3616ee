/// Every tool comes with its page and its completions.
struct CompanionRule {
  static func companions(of tool: String) -> [String] {
    [
      "man/\(tool).1", "completions/\(tool).bash", "completions/_\(tool)",
      "completions/\(tool).fish",
    ]
  }

  static func violations(of tool: String, has: (String) -> Bool) -> [Violation] {
    companions(of: tool).filter { !has($0) }.map {
      Violation(path: $0, reason: "is missing for the tool '\(tool)'")
    }
  }
}
