import Core

/// The form of a hook's output, which depends on the agent and the event.
///
/// The forms are those of Claude Code 2.1, Codex 0.154 and Gemini CLI 0.58.
public struct HookForm: Sendable, Hashable {
  /// The agent.
  public var agent: HookAgent
  /// The value of `hook_event_name`, such as `PreToolUse`.
  public var event: String

  /// Creates a form.
  public init(_ agent: HookAgent, _ event: String) { (self.agent, self.event) = (agent, event) }

  /// `true` if a hook can decide the event.
  public var isDecidable: Bool {
    agent == .gemini
      ? event == Self.beforeTool : [Self.preToolUse, Self.permissionRequest].contains(event)
  }

  /// `true` if the agent asks a person itself when the hook does not decide.
  ///
  /// Codex runs the tool after a PreToolUse hook without a decision.
  public var hasPrompt: Bool {
    switch agent {
    case .claude: true
    case .codex: event == Self.permissionRequest
    case .gemini: false
    }
  }

  /// Returns the text that the hook prints for the given answer, with its line end.
  ///
  /// An event that cannot be decided gets no decision. A question is denied if the agent has no
  /// prompt.
  public func text(_ answer: HookAnswer) -> String {
    guard isDecidable else { return silence }
    switch answer {
    case .allow(let reason): return allowing(reason)
    case .deny(let reason): return denying(reason)
    case .ask(let reason): return hasPrompt ? asking(reason) : denying(reason)
    case .none: return silence
    }
  }

  private func allowing(_ reason: String) -> String {
    switch (agent, event) {
    case (.gemini, _): "{\"decision\":\"allow\"}\n"
    // Codex treats `allow` as a fault of the hook; without output, its own rules apply.
    case (.codex, Self.preToolUse): ""
    case (_, Self.preToolUse): before("allow", reason)
    default: instead("{\"behavior\":\"allow\"}")
    }
  }

  private func denying(_ reason: String) -> String {
    switch (agent, event) {
    case (.gemini, _): "{\"decision\":\"deny\",\"reason\":\(Self.literal(reason))}\n"
    case (_, Self.preToolUse): before("deny", reason)
    default: instead("{\"behavior\":\"deny\",\"message\":\(Self.literal(reason))}")
    }
  }

  private func asking(_ reason: String) -> String {
    // Without an output, the tool would run if a rule of the agent allows it.
    event == Self.preToolUse ? before("ask", reason) : silence
  }

  private var silence: String { agent == .gemini ? "{}\n" : "" }

  private func before(_ decision: String, _ reason: String) -> String {
    "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":"
      + "\"\(decision)\",\"permissionDecisionReason\":\(Self.literal(reason))}}\n"
  }

  private func instead(_ decision: String) -> String {
    "{\"hookSpecificOutput\":{\"hookEventName\":\"PermissionRequest\",\"decision\":\(decision)}}\n"
  }

  /// Returns the given text as a string of JSON, shortened and without unsafe characters.
  private static func literal(_ text: String) -> String {
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(1000)))
    return String(decoding: JSONString.literal(Visible.line(start)), as: UTF8.self)
  }

  /// The event before a tool of Claude Code or Codex runs.
  public static let preToolUse = "PreToolUse"
  /// The event in place of a question of Claude Code or Codex.
  public static let permissionRequest = "PermissionRequest"
  /// The event before a tool of Gemini CLI runs.
  public static let beforeTool = "BeforeTool"
}

/// The answer to a hook.
public enum HookAnswer: Sendable, Hashable {
  /// The call runs, for the given reason.
  case allow(String)
  /// The call does not run, for the given reason.
  case deny(String)
  /// The agent asks a person itself, for the given reason.
  case ask(String)
  /// The hook does not decide.
  case none
}
