/// What no code of ours says, unless a comment on the line above gives the reason.
struct BanRule {
  static let phrases = [
    "print(", "debugPrint(", "dump(", "try!", "as!", "@unchecked Sendable", "nonisolated(unsafe)",
    "Task.detached", "fatalError", "preconditionFailure", "unsafeBitCast", "swift-format-ignore",
    "CommandLine",
  ]

  static func violations(in file: SourceFile) -> [Violation] {
    let inCode = file.code.filter { !$0.isExplained }.flatMap { line in
      phrases.filter { line.text.holds(phrase: $0) }.map {
        Violation(path: file.path, line: line.number, reason: "'\($0)' needs a reason above it")
      }
    }
    // An instruction to the formatter is itself a comment.
    let inComments = file.lines.enumerated().filter { $0.element.contains("swift-format-ignore") }
      .map {
        Violation(path: file.path, line: $0.offset + 1, reason: "the formatter is never told off")
      }
    return inCode + inComments
  }
}
