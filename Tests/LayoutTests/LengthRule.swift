/// How long a file may be.
struct LengthRule {
  static let longestFile = 400
  /// A tool's folder holds options, `validate()` and `run()`, and nothing else.
  static let longestToolFile = 150

  static func violations(in file: SourceFile) -> [Violation] {
    let isTool = file.target.map { ImportRule.tools[$0] != nil } ?? false
    let limit = isTool ? longestToolFile : longestFile
    guard file.lines.count > limit else { return [] }
    return [
      Violation(
        path: file.path, line: limit + 1,
        reason: "has \(file.lines.count) lines, \(limit) are allowed")
    ]
  }
}
