/// How long a file may be.
struct LengthRule {
  static let longestFile = 400
  /// A tool's folder holds options, `validate()` and `run()`, and nothing else.
  static let longestToolFile = 150

  /// The tools' names.
  let tools: [String]

  func violations(in file: SourceFile) -> [Violation] {
    let isTool = file.target.map(tools.contains) ?? false
    let limit = isTool ? Self.longestToolFile : Self.longestFile
    guard !file.isGenerated, file.lines.count > limit else { return [] }
    return [
      Violation(
        path: file.path, line: limit + 1,
        reason: "has \(file.lines.count) lines, \(limit) are allowed")
    ]
  }
}
