import CodingAgents
public import Core

/// The text of the question at the gate, bounded and without unsafe characters.
extension HookRequest {
  /// The question in one sentence.
  public var summary: String {
    let words = argument.map { ": " + ApprovalGate.words($0, upTo: 300) } ?? ""
    return "\(Self.opening(form.agent))\(ApprovalGate.words(tool, upTo: 100))\(words)"
  }

  /// Returns the words with which each question of the given agent begins.
  static func opening(_ agent: CodingAgent) -> String { "\(agent.title) asks to call " }
  /// The names of facts about a call.
  static let (subagent, call) = ("subagent", "call")

  /// The working folder, the session, the subagent and the call; and all arguments.
  public var context: GateContext {
    let facts = [
      ("folder", folder), ("session", sessionId), (Self.subagent, subagentId), (Self.call, callId),
    ]
    let why = facts.compactMap { name, value in
      value.map { "\(name) '\(ApprovalGate.words($0, upTo: 1000))'" }
    }.joined(separator: ", ")
    return GateContext(why: why.isEmpty ? nil : why, impact: ApprovalGate.words(arguments))
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
}
