/// `docs/decisions.md` says of every package what it costs, and why it was taken.
struct DecisionRule {
  /// Returns the packages that have no row in the table of dependencies.
  static func violations(of package: SourceFile, in decisions: SourceFile) -> [Violation] {
    let form = #/\.package\(\s*url: "[^"]*\/([^"\/]+)"/#
    return package.lines.joined(separator: "\n").matches(of: form).map(\.1).filter { name in
      !decisions.lines.contains { $0.hasPrefix("| \(name),") }
    }.map { Violation(path: decisions.path, reason: "has no row for '\($0)'") }
  }
}
