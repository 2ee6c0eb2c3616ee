/// Libraries hand notices to whoever calls them: only Command and the tools name the process's
/// diagnostics.
struct NoticeRule {
  static let phrase = "Diagnostics.shared"
  /// It clears the progress line of the terminal that it writes to.
  static let exception = "Sources/Core/Files/RecordWriter.swift"

  /// The package's tools.
  let tools: Set<String>

  func violations(in file: SourceFile) -> [Violation] {
    guard let target = file.target, target != "Command", !tools.contains(target),
      file.path != Self.exception
    else { return [] }
    return file.code.filter { $0.text.holds(phrase: Self.phrase) }.map {
      Violation(
        path: file.path, line: $0.number, reason: "'\(Self.phrase)' is for Command and tools")
    }
  }
}
