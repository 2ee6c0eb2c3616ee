/// A program whose sessions are read from its own files.
public enum CodingAgent: String, Codable, CaseIterable, Sendable {
  case claude, codex, opencode, gemini

  /// The program's name for people.
  public var title: String {
    switch self {
    case .claude: "Claude Code"
    case .codex: "Codex"
    case .opencode: "OpenCode"
    case .gemini: "Gemini CLI"
    }
  }

  /// The provider whose models the program calls, by its name in the catalogue; nil if it calls
  /// those of several.
  public var provider: String? {
    switch self {
    case .claude: "anthropic"
    case .codex: "openai"
    case .gemini: "google"
    case .opencode: nil
    }
  }

  /// Returns the size of the context in tokens that the program uses for the given model unless a
  /// person chooses a larger one; nil if it is that of the model.
  func usualContext(of model: String) -> Int? {
    guard self == .claude, let match = model.firstMatch(of: /^claude-(?:[a-z]+-)?([0-9]{1,2})\b/),
      let generation = Int(match.1)
    else { return nil }
    return generation < 5 ? 200_000 : nil
  }

  /// The versions whose form of transcript the parser was tried with.
  ///
  /// The forms are internal to the programs and change between versions. Entries of an unknown kind
  /// are counted.
  public var triedVersions: [String] {
    switch self {
    case .claude: ["1.0", "2.1.332"]
    case .codex: ["0.154", "0.163.0"]
    case .opencode: ["1.18", "2.0"]
    case .gemini: ["0.58"]
    }
  }
}
