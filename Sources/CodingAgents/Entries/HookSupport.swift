/// The hooks of a program: its settings, its events, and its forms of an answer.
public struct HookSupport: Sendable {
  /// An event at which the program runs the hook.
  public struct Event: Sendable {
    /// The value of `hook_event_name`, such as `PreToolUse`.
    public var name: String
    /// The pattern of the tools whose calls run the hook.
    public var matcher: String
    /// The further members of the hook's settings, as JSON.
    public var facts: String
  }

  /// The answer of a hook.
  public enum Decision: Sendable, Hashable {
    /// The call runs.
    case allow
    /// The call does not run.
    case deny
    /// The program asks a person itself.
    case ask
  }

  /// The event before a tool of Claude Code or Codex runs.
  public static let preToolUse = "PreToolUse"
  /// The event in place of a question of Claude Code or Codex.
  public static let permissionRequest = "PermissionRequest"

  /// The number of seconds after which the program's own time limit for a hook is near.
  public var deadline: Double
  /// The file of the settings, below the program's folder.
  public var file: String
  /// The events of the settings.
  public var events: [Event]
  /// The events that a hook can decide; the first is the one before a tool runs.
  public var decidable: [String]
  /// The events at which the program asks a person itself if the hook does not decide.
  public var prompting: Set<String>
  /// The events after a tool call.
  public var callEnds: Set<String> = []
  /// The events after a turn.
  public var turnEnds: Set<String> = []
  /// The events that no other program has.
  public var ownEvents: Set<String> = []
  /// The member of a message that no other program sends; nil if there is none.
  public var ownMember: String?
  /// Sentences about the program's conditions, and about its behaviour if the hook dies.
  public var notes: [String]
  /// The output of a hook that decides nothing.
  public var silence = ""
  /// Returns what the hook prints at the given event, for a decision and its reason as JSON.
  public var output: @Sendable (_ event: String, Decision, _ reason: String) -> String
}

extension HookSupport {
  /// Returns the answer of a hook of Claude Code or Codex.
  static func output(at event: String, _ decision: Decision, _ reason: String) -> String {
    let isBefore = event == preToolUse
    let members =
      switch decision {
      case .allow where isBefore: before("allow", reason)
      case .deny where isBefore: before("deny", reason)
      case .ask where isBefore: before("ask", reason)
      case .allow: #""decision":{"behavior":"allow"}"#
      case .deny: #""decision":{"behavior":"deny","message":\#(reason)}"#
      case .ask: ""
      }
    guard !members.isEmpty else { return "" }
    let name = isBefore ? preToolUse : permissionRequest
    return #"{"hookSpecificOutput":{"hookEventName":"\#(name)",\#(members)}}"# + "\n"
  }

  private static func before(_ decision: String, _ reason: String) -> String {
    #""permissionDecision":"\#(decision)","permissionDecisionReason":\#(reason)"#
  }
}
