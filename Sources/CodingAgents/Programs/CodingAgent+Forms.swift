/// The forms of each program, which its own folder describes.
extension CodingAgent {
  /// The places of the program's sessions.
  var places: ProgramPlaces {
    switch self {
    case .claude: .claude
    case .codex: .codex
    case .gemini: .gemini
    case .opencode: .opencode
    }
  }

  /// The names that the program uses in its telemetry; nil if it sends none.
  public var telemetry: TelemetryNames? {
    switch self {
    case .claude: .claude
    case .codex: .codex
    case .gemini: .gemini
    case .opencode: nil
    }
  }

  /// The hooks of the program; nil if it runs none that can be answered.
  public var hooks: HookSupport? {
    switch self {
    case .claude: .claude
    case .codex: .codex
    case .gemini: .gemini
    case .opencode: nil
    }
  }

  /// The programs whose hooks can be answered.
  public static var hooked: [CodingAgent] { allCases.filter { $0.hooks != nil } }

  /// Returns a parser of the program's output that has read no lines yet.
  ///
  /// - Parameter environment: The environment, whose variables may move the program's files.
  /// - Returns: The parser.
  public func output(_ environment: [String: String]) -> any OutputParser {
    switch self {
    case .claude: ClaudeOutput()
    case .codex: CodexOutput(roots: places.roots(in: environment))
    case .gemini: GeminiOutput()
    case .opencode: OpenCodeOutput()
    }
  }
}
