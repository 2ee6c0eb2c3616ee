/// An agent whose hooks can be answered.
public enum HookAgent: String, Sendable, CaseIterable {
  case claude, codex, gemini

  /// The agent's name for people.
  public var title: String {
    switch self {
    case .claude: "Claude Code"
    case .codex: "Codex"
    case .gemini: "Gemini CLI"
    }
  }

  /// The number of seconds after which the agent's own time limit for a hook is near.
  ///
  /// The limits are 600 seconds, and 60 for Gemini CLI.
  public var deadline: Double { self == .gemini ? 55 : 570 }
}
