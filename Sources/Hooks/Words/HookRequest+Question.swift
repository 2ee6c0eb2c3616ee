public import Core

/// The text of the question at the gate, bounded and without unsafe characters.
extension HookRequest {
  /// The question in one sentence.
  public var summary: String {
    let words = argument.map { ": " + Self.shown($0, 300) } ?? ""
    return "\(form.agent.title) asks to call \(Self.shown(tool, 100))\(words)"
  }

  /// The working folder, the session and the call; and all arguments.
  public var context: GateContext {
    let facts = [("folder", folder), ("session", sessionId), ("call", callId)]
    let why = facts.compactMap { name, value in
      value.map { "\(name) '\(Self.shown($0, 1000))'" }
    }.joined(separator: ", ")
    return GateContext(why: why.isEmpty ? nil : why, impact: Self.shown(arguments, 4000))
  }

  /// The argument that best describes the call, such as the command of a shell.
  private var argument: String? {
    let names = [
      "command", "cmd", "file_path", "absolute_path", "notebook_path", "path", "dir_path", "url",
      "query", "pattern", "prompt",
    ]
    return names.lazy.compactMap { name in
      if case .string(let text)? = input[name] { text } else { nil }
    }.first
  }

  private static func shown(_ text: String, _ limit: Int) -> String {
    // A character may consist of any number of scalars, so these are counted. A secret must be
    // found before the text is cut inside it.
    let all = Secrets.shown(text).unicodeScalars
    let shown = Visible.text(String(String.UnicodeScalarView(all.prefix(limit))))
    let rest = all.count - limit
    return shown + (rest > 0 ? "… and \(rest) more characters" : "")
  }
}
