import Core

/// A parser of a transcript of any agent whose transcripts consist of lines.
enum AnyTranscript: Codable, Sendable {
  case claude(ClaudeTranscript)
  case codex(CodexTranscript)
  case gemini(GeminiTranscript)

  /// Creates a parser for the given file; nil if the agent writes no lines.
  init?(_ file: TranscriptFile, limits: SessionLimits) {
    switch file.session.agent {
    case .claude: self = .claude(ClaudeTranscript(file.session, limits: limits))
    case .codex: self = .codex(CodexTranscript(file.session, limits: limits))
    case .gemini:
      self = .gemini(
        GeminiTranscript(
          file.session, parent: file.parent, folder: file.folder, limits: limits))
    case .opencode: return nil
    }
  }

  /// Returns the entries of the given line.
  mutating func entries(of line: [UInt8]) -> [SessionEntry] {
    switch self {
    case .claude(var parser):
      defer { self = .claude(parser) }
      return parser.entries(of: line)
    case .codex(var parser):
      defer { self = .codex(parser) }
      return parser.entries(of: line)
    case .gemini(var parser):
      defer { self = .gemini(parser) }
      return parser.entries(of: line)
    }
  }
}
