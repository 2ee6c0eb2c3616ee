import Core

/// A pattern of requests: `TOOL`, or `TOOL(ARGUMENT)`.
///
/// In both parts, `*` stands for any characters and `?` for one.
struct HookPattern: Sendable {
  /// The pattern's text.
  let text: String
  private let tool: Wildcards
  /// The pattern of the argument; nil if the pattern covers all arguments.
  private let argument: Wildcards?

  /// Creates a pattern from its text.
  ///
  /// - Throws: `BadConfiguration` if the text has no tool, or no bracket that matches another.
  init(_ text: String) throws(Failure) {
    self.text = text
    let shown = Visible.line(String(text.prefix(200)))
    guard let open = text.firstIndex(of: "(") else {
      guard !text.isEmpty, !text.contains(")") else {
        throw Self.fault(shown, "is no TOOL(ARGUMENT)")
      }
      (tool, argument) = (Wildcards(text), nil)
      return
    }
    guard open > text.startIndex, text.hasSuffix(")") else {
      throw Self.fault(shown, "is no TOOL(ARGUMENT)")
    }
    let inner = String(text[text.index(after: open)...].dropLast())
    // Claude Code's own rules write a prefix so; here, such a `deny` rule would match nothing.
    guard !inner.hasSuffix(":*") else { throw Self.fault(shown, "ends in ':*': write ' *'") }
    tool = Wildcards(String(text[..<open]))
    argument = inner == "*" ? nil : Wildcards(inner)
  }

  private static func fault(_ shown: String, _ fault: String) -> Failure {
    Failure(.badConfiguration, "the pattern '\(shown)' of 'hook' \(fault)", input: "hook")
  }

  /// Returns `true` if the pattern allows the given request.
  func allows(_ subject: RuleSubject) -> Bool {
    guard let texts = subject.allowed, tool.matches(subject.tool) else { return false }
    return argument.map { texts.contains(where: $0.matches) } ?? true
  }

  /// Returns `true` if the pattern names the given tool.
  func concerns(_ name: String) -> Bool { tool.matches(name) }

  /// Returns `true` if the pattern may match the given request.
  func mayMatch(_ subject: RuleSubject) -> Bool {
    guard tool.matches(subject.tool) else { return false }
    return argument.map { subject.watched.contains(where: $0.matches) } ?? true
  }
}
